/** By which names the server answers, and which pages are its own. */
import { describe, expect, test } from 'vitest';
import { createAddress } from '../../src/server/address.js';

const at = (host: string, address = '127.0.0.1', allowHosts?: readonly string[]) =>
  createAddress({ host, bound: { address, port: 4040 }, ...(allowHosts && { allowHosts }) });

test.each([
  ['127.0.0.1', '127.0.0.1', 'http://127.0.0.1:4040'],
  ['localhost', '127.0.0.1', 'http://127.0.0.1:4040'],
  ['localhost', '::1', 'http://[::1]:4040'],
  ['0.0.0.0', '0.0.0.0', 'http://127.0.0.1:4040'],
  ['::', '::', 'http://[::1]:4040'],
  ['192.168.1.7', '192.168.1.7', 'http://192.168.1.7:4040'],
  ['box.example.org', '10.0.0.1', 'http://box.example.org:4040'],
])('listening on %s (%s) it is %s', (host, address, url) => {
  expect(at(host, address).url).toBe(url);
});

describe('on loopback', () => {
  const here = at('127.0.0.1', '127.0.0.1', ['box.example.org', 'other.example.org:8443']);

  test.each([
    ['127.0.0.1:4040', true, true],
    ['localhost:4040', true, false],
    ['localhost:1', true, false],
    ['[::1]:4040', true, false],
    ['127.0.0.1:4041', true, false],
    ['box.example.org', true, true],
    ['box.example.org:443', true, true],
    ['other.example.org:8443', true, true],
    ['other.example.org', false, false],
    ['evil.example.org', false, false],
    ['127.0.0.1.evil.example.org', false, false],
    ['', false, false],
  ])('%j is answered: %s, and is its home: %s', (asked, isAnswered, isHome) => {
    expect({ isAnswered: here.answersTo(asked), isHome: here.isHome(asked) }).toEqual({ isAnswered, isHome });
  });

  test.each([
    ['http://127.0.0.1:4040', true],
    ['http://127.0.0.1:4041', false],
    ['http://localhost:4040', false],
    ['https://box.example.org', true],
    ['http://box.example.org:8080', true],
    ['ftp://box.example.org', false],
    ['https://evil.example.org', false],
    ['null', false],
    ['', false],
  ])('a page of %j is its own: %s', (origin, isOurs) => {
    expect(here.isOurs(origin)).toBe(isOurs);
  });
});

test('on a network its own name is enough', () => {
  const there = at('192.168.1.7', '192.168.1.7');
  expect(there.answersTo('192.168.1.7:9')).toBe(true);
  expect(there.isOurs('https://192.168.1.7')).toBe(true);
  expect(there.isHome('localhost:4040')).toBe(false);
});
