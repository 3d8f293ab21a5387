/** Every name that is given to secrets is known by its end, in any case, with a number or a place behind it; others are not. */
import { describe, expect, test } from 'vitest';
import { endsMarkedName, endsWithName, isSecretName, mayEndName, type NameKind } from '../../src/guard/name.js';

const joined = (words: string) => words.split(' ').flatMap((word) => [`${word}key`, `${word}_key`, `${word}-key`]);

const NAMES: Record<NameKind, readonly string[]> = {
  password: ['password', 'passwd', 'passphrase', 'passcode', 'pwd'],
  secret: [
    ...['secret', 'credential', 'credentials', 'keybase', 'key_base', 'key-base', 'npm_auth'],
    ...joined('api secret secretaccess secret_access private auth encryption signing master client shared'),
  ],
  token: ['token', 'accessToken', 'homepage_x_token'],
  key: joined(
    'access account storage session license app application admin fernet subscription service write deploy webhook hmac jwt cookie',
  ),
};

const SUFFIXES = ['', '0', '9', '12', '_1', '-12', '_dev', '-prod', '_test', '-live', '_staging', '-production'];

describe.each(Object.keys(NAMES) as NameKind[])('%s', (kind) => {
  const names = NAMES[kind].flatMap((name) => SUFFIXES.flatMap((end) => [name + end, (name + end).toUpperCase()]));

  test('is known by every name', () => {
    expect(names.filter((name) => !endsWithName(kind, name))).toEqual([]);
    expect(names.filter((name) => !endsMarkedName(`${name} = 1`, name.length))).toEqual([]);
    expect(names.filter((name) => isSecretName(name) !== (kind !== 'key'))).toEqual([]);
  });

  test('and by none of the others, nor when something else follows', () => {
    const others = (Object.keys(NAMES) as NameKind[])
      .filter((other) => other !== kind)
      .flatMap((other) => NAMES[other]);
    // A secret's key and a password's are both.
    expect(others.filter((name) => endsWithName(kind, name) && kind !== 'key')).toEqual([]);
    const longer = ['s_', '123', '_', 'x', '_devs', '.'].flatMap((end) => NAMES[kind].map((name) => name + end));
    expect(longer.filter((name) => endsWithName(kind, name) || endsMarkedName(name, name.length))).toEqual([]);
  });
});

test('a pass is a password only in capitals and behind a joint', () => {
  const isPassword = (name: string) => endsWithName('password', name);
  expect(['DB_PASS', 'DB_PASS_2', 'DB_PASS_PROD'].filter((name) => !isPassword(name))).toEqual([]);
  expect(['db_pass', 'BYPASS', 'PASS', 'DB-PASS'].filter(isPassword)).toEqual([]);
});

test('the token of a page is a position', () => {
  const names = ['page', 'next', 'continuation'].flatMap((word) =>
    ['', '_', '-'].map((joint) => `${word}${joint}token`),
  );
  expect(names.flatMap((name) => [name, name.toUpperCase()]).filter((name) => endsWithName('token', name))).toEqual([]);
});

test('headers are names where something is marked, and one of them also as a property', () => {
  const headers = ['authorization', 'cookie', 'signature', 'sig'].flatMap((name) => [name, name.toUpperCase()]);
  expect(headers.filter((name) => !endsMarkedName(name, name.length))).toEqual([]);
  expect(headers.filter(isSecretName)).toEqual(['authorization', 'AUTHORIZATION']);
});

/** It may say yes too often, which costs time: so it must not for common words, nor for what only nearly is one. */
test('the quick look at the last letters says no to what is no name', () => {
  const words = [
    '',
    'a',
    'name',
    'colour',
    'value',
    'href',
    'xnrd',
    'ordx',
    'orc',
    'password_',
    'password123',
    'password/',
    'password:',
  ];
  // A joint stands so many letters before the end of a place: `_dev`, `_prod`, `_staging`, `_production`.
  const joints = [1, 2, 5, 6, 8, 9, 11].map((count) => `x_${'f'.repeat(count)}`);
  expect([...words, ...joints].filter((name) => mayEndName(name, name.length))).toEqual([]);
  expect(mayEndName('password: x', 8)).toBe(true);
  expect(mayEndName('password: x', 11)).toBe(false);
  expect(endsMarkedName('password word', 13)).toBe(false);
});
