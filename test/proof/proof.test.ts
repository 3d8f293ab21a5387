/** Codes, headers and signatures, as page and server exchange them. */
import { describe, expect, test } from 'vitest';
import {
  codeIn,
  createCode,
  createKey,
  formatAuthorization,
  isMac,
  isSignature,
  linkWith,
  macOf,
  readAuthorization,
  readKey,
  sign,
  statement,
  writeKey,
} from '../../src/proof/index.js';

describe('codes', () => {
  test('are read from links, from what is typed, and from nothing else', () => {
    const code = createCode();
    expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(codeIn(linkWith('http://127.0.0.1:4177', code))).toBe(code);
    expect(codeIn(` ${code.toLowerCase().replaceAll('-', ' ')} `)).toBe(code);
    expect(codeIn('7kq2m4xdoil9')).toBe('7KQ2-M4XD-0119');
    for (const other of ['', '#', '#row=7KQ2M4XD0119', 'http://127.0.0.1:4177/', '7KQ2-M4XD-011', '7KQ2-M4XD-01199']) {
      expect(codeIn(other), other).toBeUndefined();
    }
  });

  test('are not the same twice', () => {
    expect(new Set(Array.from({ length: 100 }, createCode)).size).toBe(100);
  });
});

describe('keys', () => {
  test('sign what they sign, and nothing else passes', async () => {
    const [own, other] = await Promise.all([createKey(), createKey()]);
    const signature = await sign(own, 'a');
    expect(await isSignature(own.publicText, 'a', signature)).toBe(true);
    expect(await isSignature(own.publicText, 'b', signature)).toBe(false);
    expect(await isSignature(other.publicText, 'a', signature)).toBe(false);
    for (const odd of ['', 'x', '€', signature.slice(2)]) {
      expect(await isSignature(own.publicText, 'a', odd), odd).toBe(false);
      expect(await isSignature(odd, 'a', signature), odd).toBe(false);
    }
  });

  test('cannot be read where they were made, unless they are to be kept', async () => {
    await expect(writeKey(await createKey())).rejects.toThrow();
    const kept = await createKey({ isKept: true });
    const read = await readKey(await writeKey(kept));
    expect(read.publicText).toBe(kept.publicText);
    expect(await isSignature(kept.publicText, 'a', await sign(read, 'a'))).toBe(true);
    await expect(writeKey(read)).rejects.toThrow();
  });

  test('a code proves itself without being told', async () => {
    const mac = await macOf('code', 'a');
    expect(mac).not.toContain('code');
    expect(await isMac('code', 'a', mac)).toBe(true);
    expect(await isMac('other', 'a', mac)).toBe(false);
    expect(await isMac('code', 'b', mac)).toBe(false);
    expect(await isMac('code', 'a', '')).toBe(false);
  });
});

test('a header is read as it was written; with anything missing it is none', () => {
  const said = {
    origin: 'http://127.0.0.1:4177',
    boot: 'b',
    browser: 'c',
    pageKey: 'd',
    certificate: 'e',
    count: 1,
    digest: 'f',
    signature: 'g',
  };
  expect(readAuthorization(formatAuthorization(said))).toEqual(said);
  for (const name of Object.keys(said)) {
    expect(readAuthorization(formatAuthorization({ ...said, [name]: '' })), name).toBeUndefined();
  }
  for (const header of ['', 'Glassbox', 'Glassbox ', 'Bearer x', 'Glassbox count=0']) {
    expect(readAuthorization(header), header).toBeUndefined();
  }
});

test('no statement reads like another', () => {
  const all = {
    origin: 'o',
    boot: 'b',
    nonce: 'n',
    ticket: 't',
    epoch: 'e',
    browser: 'r',
    browserKey: 'k',
    pageKey: 'p',
    count: 1,
    method: 'GET',
    target: '/',
    digest: 'd',
  };
  const said = Object.values(statement).map((make) => make(all));
  expect(new Set(said.map((text) => text.split('\n')[1])).size).toBe(said.length);
});
