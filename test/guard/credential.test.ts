/** What a value must look like to be a secret by its name: each kind of name, with quotes and without, at each bound. */
import { describe, expect, test } from 'vitest';
import { readAssignment } from '../../src/guard/assignment.js';
import {
  isAssignedSecret,
  isPhrase,
  isRandom,
  isReference,
  isUnquotedSetting,
  isYamlPassword,
} from '../../src/guard/credential.js';

test.each([
  ['export NAME = "', { name: 'NAME', mark: ' = ', isQuoted: true, before: ' ' }],
  ['{\\"a-name\\": \\"', { name: 'a-name', mark: ': ', isQuoted: true, before: '"' }],
  ['x', { name: 'x', mark: '', isQuoted: false, before: '' }],
  ['(a.b_c\t:=', { name: 'a.b_c', mark: '\t:=', isQuoted: false, before: '(' }],
  ['`k` => `', { name: 'k', mark: ' => ', isQuoted: true, before: '`' }],
  ["\\\\\\'k\\\\\\': \\\\\\'", { name: 'k', mark: ': ', isQuoted: true, before: "'" }],
  [' :=', { name: '', mark: ' :=', isQuoted: false, before: '' }],
  ['"', { name: '', mark: '', isQuoted: true, before: '' }],
  ['', { name: '', mark: '', isQuoted: false, before: '' }],
])('what stands before a value is read backwards: %j', (lead, wanted) => {
  expect(readAssignment(lead)).toEqual({ ...wanted, before: expect.any(String) });
  if (!wanted.isQuoted || wanted.before === ' ') expect(readAssignment(lead).before).toBe(wanted.before);
});

test('the place of a secret is none', () => {
  const places = ['$X', '%X%', '<x>', '{x}', '[x]', '***', 'xxx', 'XXXX', '...', '•••', '___', '---', 'your-key'];
  const inside = ['YOUR_KEY', ['a$', '{b}c'].join(''), 'a{{b}}c'];
  expect([...places, ...inside].filter((value) => !isReference(value))).toEqual([]);
  expect(['xx', '..', 'x-y', 'xxxy', 'yours', 'a$b', 'a{b', 'a<b', ''].filter(isReference)).toEqual([]);
});

test('what is random has sixteen letters and digits, and is no words', () => {
  expect(['a1b2c3d4e5f6a7b8', '1234567890123456a', 'A-9f8e7d6c5b4a3Z'].filter((value) => !isRandom(value))).toEqual([]);
  const others = [
    'a1b2c3d4e5f6a7b',
    '1234567890123456',
    'abcdefghijklmnop',
    'color-gray-blue-100',
    'version/1234.alpha1',
  ];
  expect(others.filter(isRandom)).toEqual([]);
});

/** Behind these leads, which of the values is a secret. */
const MIXED = { six: 'abc123', eight: 'abcd1234', twelve: 'abcdef123456', sixteen: 'a1b2c3d4e5f6a7b8' };
const VALUES = {
  ...MIXED,
  five: 'abc12',
  digits: '123456',
  letters: 'correct',
  capitalised: 'Correct',
  long: 'correcthorsebatt',
  fifteen: 'correcthorsebat',
  type: 'Uint8Array',
  longType: 'Float64Something',
  wordy: 'color-gray-100',
  constant: 'START_TAG_TOKEN',
  member: 'config.apiKey1',
  optional: 'config?.key1',
  scope: 'Scope::name12',
  path: '/etc/key1234567',
  home: '~/key12345678',
  address: 'https://a1b2c3d4',
  word: 'required',
  itself: 'invalid-password-12',
  reference: '$abc12345678',
};
type Named = keyof typeof VALUES;

describe('a value is a secret behind', () => {
  const secretsBehind = (lead: string) =>
    (Object.keys(VALUES) as Named[]).filter((name) => isAssignedSecret(VALUES[name], lead));

  test.each([
    ['password: "', 'six eight twelve sixteen digits letters long fifteen type longType wordy member optional scope'],
    ['password=', 'six eight twelve sixteen digits type longType wordy'],
    ['password: ', 'six eight twelve sixteen digits type longType wordy'],
    [
      'DB_PASSWORD=',
      'six eight twelve sixteen five digits letters capitalised long fifteen type longType wordy itself',
    ],
    [
      'DB_PASSWORD: "',
      'six eight twelve sixteen five digits letters capitalised long fifteen type longType wordy member optional scope',
    ],
    ['app.DB_PASSWORD=', 'six eight twelve sixteen five digits letters capitalised long fifteen type longType wordy'],
    [
      'x.PASSWORD = "',
      'six eight twelve sixteen five digits letters capitalised long fifteen type longType wordy member optional scope',
    ],
    ['?DB_PASSWORD=', 'six eight twelve sixteen five digits letters capitalised long fifteen type longType wordy'],
    ['secret: "', 'eight twelve sixteen long type longType wordy member optional scope'],
    ['secret: ', 'eight twelve sixteen wordy'],
    ['APP_SECRET=', 'six eight twelve sixteen five digits letters capitalised long fifteen type longType wordy itself'],
    [
      'APP_SECRET: "',
      'six eight twelve sixteen five digits letters capitalised long fifteen type longType wordy member optional scope',
    ],
    ['token: "', 'eight twelve sixteen optional scope'],
    ['token: ', 'twelve sixteen'],
    ['API_TOKEN=', 'six eight twelve sixteen five letters capitalised long fifteen type longType wordy itself'],
    ['API_TOKEN="', 'eight twelve sixteen optional scope'],
    ['API_TOKEN: ', 'twelve sixteen'],
    ['appKey: "', 'sixteen longType'],
    ['APP_KEY=', 'sixteen longType'],
    ['name: "', ''],
  ])('%s', (lead, wanted) => {
    expect(secretsBehind(lead).join(' ')).toBe(wanted);
  });
});

test('words with spaces are a secret where a setting in capitals is named a password or a secret', () => {
  const phrase = 'my secret pass phrase';
  const isOne = (lead: string) => isPhrase(phrase, lead);
  expect(['DB_PASSWORD="', "export APP_SECRET='"].filter((lead) => !isOne(lead))).toEqual([]);
  const others = [
    'API_TOKEN="',
    'APP_KEY="',
    'password="',
    'DB_PASSWORD: "',
    'a.DB_PASSWORD="',
    '?DB_PASSWORD="',
    'NAME="',
  ];
  expect(others.filter(isOne)).toEqual([]);
  const values = [
    'one',
    '$a b',
    ' a b',
    'Enter it now',
    "Don't say it",
    'a b.',
    'a b!',
    'a b?',
    'a b:',
    'a (b)',
    'a = b',
  ];
  expect([...values, 'a <b', 'a >b'].filter((value) => isPhrase(value, 'DB_PASSWORD="'))).toEqual([]);
  expect(['A b', 'CORRECT horse', 'a. b', 'a: b'].filter((value) => !isPhrase(value, 'DB_PASSWORD="'))).toEqual([
    'A b',
  ]);
});

test('a setting without quotes goes to the next space, unless it is code', () => {
  const isOne = (value: string) => isUnquotedSetting(value, 'DB_PASSWORD=');
  const values = ['pa(ss)&w0rd', 'abc|def', 'a{b', 'p&ss;', 'a<b>c', 'x]y12', 'pa&ss,;'];
  expect(values.filter((value) => !isOne(value))).toEqual([]);
  const code = [
    'getToken(request)',
    'env["KEY"]',
    'a=>b&c',
    'f()&x',
    'a;b(c',
    'a,b=c',
    'function&x',
    '!a&b',
    'a&b(',
    'a&[',
  ];
  expect([...code, 'plain12', 'plain12;', 'plain,;', '$a&b'].filter(isOne)).toEqual([]);
  const elsewhere = ['password=', 'DB_PASSWORD: ', 'a.DB_PASSWORD=', '&DB_PASSWORD=', 'NAME='];
  expect(elsewhere.filter((lead) => isUnquotedSetting('pa(ss)&w0rd', lead))).toEqual([]);
});

test('a word or a number on a line of its own is a password in YAML', () => {
  const isOne = (lead: string) => isYamlPassword('correcthorse', lead);
  const lines = ['password: ', '  - password: ', 'a: 1\n  "db.password":    ', "x\\n'password':\t", '\tpass-word: '];
  expect(lines.filter((lead) => !isOne(lead))).toEqual([]);
  const others = ['the password: ', 'password:', 'password:     ', 'password = ', 'a\npassword: x ', 'a, password: '];
  expect(others.filter(isOne)).toEqual([]);
  const words = ['correcth', '1234', '123456789'];
  expect(words.filter((value) => !isYamlPassword(value, 'password: '))).toEqual([]);
  const none = ['correct', '123', 'Correcthorse', 'correct1', 'required', 'mypassword', 'thesecrettoken'];
  expect(none.filter((value) => isYamlPassword(value, 'password: '))).toEqual([]);
});
