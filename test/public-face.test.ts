/** A small public face with help: what a stranger sees of the package in an editor. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { publicFace } from './support/public-face.js';

const { doors } = publicFace();

test('the root has under 50 names', () => {
  const names = doors.find(({ name }) => name === 'glassbox')?.exports.map(({ name }) => name) ?? [];
  expect(names.length).toBeLessThan(50);
  expect(names).toEqual(
    expect.arrayContaining(['run', 'decode', 'createDecoder', 'AgentEvent', 'EventOf', 'GlassboxError']),
  );
});

test.each(doors)('$name: every value says in an editor what it is', ({ exports }) => {
  expect(exports.some(({ isValue }) => isValue)).toBe(true);
  expect(exports.filter(({ isValue, help }) => isValue && help === '').map(({ name }) => name)).toEqual([]);
});

test('a name means one thing, whichever door it comes through', () => {
  const places = new Map<string, Set<string>>();
  for (const { name, file, symbol } of doors.flatMap((door) => door.exports)) {
    places.set(name, (places.get(name) ?? new Set()).add(`${file} ${symbol.name}`));
  }
  expect([...places].filter(([, where]) => where.size > 1)).toEqual([]);
});

test('every door is an entry of the package, and the README tells of it', () => {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = Object.keys(exports).filter((entry) => entry !== './package.json');
  expect(doors.map(({ name }) => name).sort()).toEqual(entries.map((entry) => entry.replace('.', 'glassbox')).sort());
  const readme = readFileSync('README.md', 'utf8');
  expect(doors.filter(({ name }) => !readme.includes(`| \`${name}\` |`))).toEqual([]);
});
