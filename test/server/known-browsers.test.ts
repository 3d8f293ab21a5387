/** The browsers that were let in, as files: what is damaged, foreign or old lets nobody in. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type KnownBrowser, openKnownBrowsers } from '../../src/server/known-browsers.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const browser = (id: string, usedAt = 0): KnownBrowser => ({
  id,
  name: 'Firefox on Linux',
  origin: 'http://127.0.0.1:1',
  key: 'k',
  createdAt: 0,
  usedAt,
});

test.each([
  ['no JSON', '{'],
  ['nothing', ''],
  ['null', 'null'],
  ['a text', '"x"'],
  ...(['id', 'name', 'origin', 'key', 'createdAt', 'usedAt'] as const).map((field): [string, string] => [
    `without ${field}`,
    JSON.stringify({ ...browser('one'), [field]: undefined }),
  ]),
  ['with a time that is none', JSON.stringify({ ...browser('one'), usedAt: 'today' })],
])('a file with %s is no browser', (_, text) => {
  const folder = temporaryDirectory();
  mkdirSync(path.join(folder, 'browsers'));
  writeFileSync(path.join(folder, 'browsers', 'one.json'), text);
  const browsers = openKnownBrowsers(folder, () => 0);
  expect(browsers.find('one')).toBeUndefined();
  expect(browsers.list()).toEqual([]);
});

test.each([['in a folder'], ['in memory']])(
  '%s they are listed, the newest first, until they are forgotten',
  (where) => {
    const folder = where === 'in memory' ? undefined : temporaryDirectory();
    const browsers = openKnownBrowsers(folder, () => 0);
    expect(browsers.list()).toEqual([]);
    for (const one of [browser('old', 1), browser('new', 3), browser('middle', 2)]) browsers.keep(one);
    expect(browsers.list().map(({ id }) => id)).toEqual(['new', 'middle', 'old']);
    expect(browsers.forget('new')).toBe(true);
    expect(browsers.forget('new')).toBe(false);
    expect(browsers.find('new')).toBeUndefined();
    expect(browsers.list().map(({ id }) => id)).toEqual(['middle', 'old']);
    if (folder !== undefined)
      expect(readdirSync(path.join(folder, 'browsers')).sort()).toEqual(['middle.json', 'old.json']);
  },
);

test('a file that somebody else took away lets nobody in, and other files are none', () => {
  const folder = temporaryDirectory();
  const browsers = openKnownBrowsers(folder, () => 0);
  browsers.keep(browser('one'));
  writeFileSync(path.join(folder, 'browsers', 'one.json.new'), '{}');
  writeFileSync(path.join(folder, 'browsers', 'a-b.json'), JSON.stringify(browser('a-b')));
  expect(browsers.list().map(({ id }) => id)).toEqual(['one']);
  expect(browsers.find('a-b')).toBeUndefined();
  expect(openKnownBrowsers(folder, () => 0).forget('one')).toBe(true);
  expect(browsers.find('one')).toBeUndefined();
});

test('a browser that did not come for ninety days has to be let in again', () => {
  const days = 24 * 60 * 60 * 1000;
  let now = 0;
  const browsers = openKnownBrowsers(temporaryDirectory(), () => now);
  browsers.keep(browser('one', 5));
  now = 90 * days + 5;
  expect(browsers.find('one')).toBeDefined();
  now += 1;
  expect(browsers.find('one')).toBeUndefined();
  expect(browsers.list()).toEqual([]);
});
