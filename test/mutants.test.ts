/** The mistakes that `npm run mutate` makes, and the list of those that nobody could notice. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { AREAS, areaNamed } from '../scripts/mutant-areas.mjs';
import { placesOf, withMarks } from '../scripts/mutant-reach.mjs';
import { mutantsOf } from '../scripts/mutants.mjs';
import { testFiles } from '../scripts/reach.mjs';
import equivalent from './mutants/equivalent.json' with { type: 'json' };
import { readSources } from './support/source.js';

const mutated = (code: string): string[] =>
  mutantsOf('src/x.ts', code).map(({ start, end, to }) => code.slice(0, start) + to + code.slice(end));

test.each([
  ['a condition', 'if (a) b;', ['if (!(a)) b;', 'if (a) ;']],
  ['a bound', 'x = a < 2;', ['x = a <= 2;', 'x = a < (2 + 1);', ';']],
  ['and, or', 'x = a && b;', ['x = a || b;', ';']],
  ['a default', 'x = a ?? b;', ['x = a ?? undefined;', ';']],
  ['a denial', 'x = !a;', ['x = a;', ';']],
  ['a word', `x = 'a';`, [`x = '';`, ';']],
  ['a property', 'x = { a, b: true };', ['x = { ...{}, b: true };', 'x = { a, ...{} };', 'x = { a, b: false };', ';']],
  ['what is given back', 'const f = () => { return a; }', ['const f = () => { return undefined; }']],
  ['a method', 'x = a.some(b);', ['x = a.every(b);', ';']],
  ['a method that every object has', 'x = a.toString();', [';']],
])('%s', (_, code, wanted) => {
  expect(mutated(code).sort()).toEqual([...wanted].sort());
});

test('imports, types and keys are left alone', () => {
  expect(
    mutated(`import a from 'b'; type T = 'c' | { d: true }; interface I { e: 1 } export * from './f.js';`),
  ).toEqual([]);
  expect(mutated('a satisfies B;')).toEqual([]);
  expect(mutated('const MOST_BYTES = 65_536;')).toEqual([]);
  expect(mutated(`const x: Record<'a', true> = { 'b': c };`)).toEqual([`const x: Record<'a', true> = { ...{} };`]);
});

/** Who comes to the word `here` comes past a mark. */
test.each([
  ['a statement', 'function f() { a(); b(here); }', 'function f() { a(); MARK;b(here); }'],
  ['one without braces', 'function f() { if (a) here(); }', 'function f() { if (a) {MARK; here();} }'],
  [
    'a condition of several',
    'function f() { if (a) b; else if (here) c; }',
    'function f() { if (a) b; else {MARK; if (here) c;} }',
  ],
  ['a case', 'function f() { switch (a) { case 1: here(); } }', 'function f() { switch (a) { case 1: MARK;here(); } }'],
  ['a function in one expression', 'const f = (a) => a && here;', 'const f = (a) => (MARK, a && here);'],
  ['a default', 'function f(a = here) { b(); }', 'function f(a = here) {MARK; b(); }'],
  ['a default of one expression', 'const f = (a = here) => a;', 'const f = (a = here) => (MARK, a);'],
  ['the inner one of two', 'const f = (a) => () => here;', 'const f = (a) => () => (MARK, here);'],
  ['a method', 'class A { b() { return here; } }', 'class A { b() { MARK;return here; } }'],
  ['what runs while a module loads', 'const a = { b: here };', 'const a = { b: here };'],
  ['a field, which has no statement', 'class A { b = here; }', 'class A { b = here; }'],
])('the mark of %s', (_, code, wanted) => {
  const start = code.indexOf('here');
  const marked = withMarks(code, placesOf('src/x.ts', code, [{ start, end: start + 4, mark: 7 }]));
  expect(marked.replace('globalThis.markReached?.(7)', 'MARK')).toBe(wanted);
});

test('an area has source and tests that are there, also when folders were moved', () => {
  const sources = readSources('src').map(({ path }) => path);
  for (const [name, { files, tests, built }] of Object.entries(AREAS)) {
    expect(
      sources.some((path) => files.test(path)),
      name,
    ).toBe(true);
    expect(
      testFiles('.', [...tests, ...built]).filter((path) => !existsSync(path)),
      name,
    ).toEqual([]);
  }
});

test('a folder without tests of its own has those of the folder above', () => {
  expect(areaNamed('src/session/reduce/')[1].tests).toEqual(['test/session/']);
  expect(areaNamed('view/web')[1].tests).toEqual(['test/web/']);
  expect(areaNamed('agent/claude')[1].tests).toEqual(['test/agent/claude/']);
});

test('what is called equivalent is there, and says why', () => {
  const list: { file: string; from: string; to: string; why: string }[] = equivalent;
  const isSound = ({ file, from, to, why }: (typeof list)[number]) =>
    existsSync(file) &&
    readFileSync(file, 'utf8').includes(from.split('\n')[0] ?? '') &&
    from !== to &&
    why.length > 10;
  expect(list.filter((one) => !isSound(one))).toEqual([]);
});
