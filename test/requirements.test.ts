/**
 * Each requirement has a row in `test/requirements`: its words, the test that holds it, and a line which, when it is broken, makes that
 * test red; or why it cannot be tested. Here rows are only looked at; `npm run requirements` breaks the lines.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { draw } from '../scripts/random.mjs';
import { type Row, readRows } from '../scripts/requirement-rows.mjs';
import { readSources, type SourceFile, tokensOf } from './support/source.js';

const counts = { S0: 39, S1: 53, S2: 25, S3: 19, S4: 23, R: 26, LL: 40 };
const sections = ['1.1', '1.2', '1.3', '1.4', '2.1', '2.2', '2.3', '2.4', '2.5', '2.6', '2.7'].map((id) => `U-${id}`);
const all = [...Object.entries(counts).flatMap(([group, count]) => numbersOf(group, count)), ...sections];

const rows = readRows();

test('each requirement has one row', () => {
  const numbers = rows.map(({ number }) => number);
  expect(all.filter((number) => !numbers.includes(number))).toEqual([]);
  expect(numbers.filter((number, index) => !all.includes(number) || numbers.indexOf(number) !== index)).toEqual([]);
  console.log(`${rows.filter((row) => 'test' in row).length} of ${rows.length} requirements have a test and a break`);
});

describe('a row', () => {
  const [sound] = rows.filter((row) => 'test' in row);
  if (!sound || !('test' in sound)) throw new Error('no row has a test');

  test('names a test that is there and a line that can be broken', () => {
    expect(rows.flatMap(problemsOf)).toEqual([]);
  });

  test.each<[string, Row]>([
    ['has no words', { ...sound, words: ' ' }],
    ['names a test file that is not there', { ...sound, test: 'test/nowhere.test.ts' }],
    ['names a title that is not there', { ...sound, title: 'S9-99 nothing' }],
    ['breaks a file that is not there', { ...sound, break: { ...sound.break, file: 'src/nowhere.ts' } }],
    ['breaks a line that is not there', { ...sound, break: { ...sound.break, from: 'no such line' } }],
    ['breaks a line that stands there more than once', { ...sound, break: { ...sound.break, from: 'return' } }],
    ['changes nothing', { ...sound, break: { ...sound.break, to: sound.break.from } }],
    ['is untested without a reason', { number: 'S0-01', words: 'x', untested: '' }],
  ])('that %s is found', (_, row) => {
    expect(problemsOf(row)).toHaveLength(1);
  });
});

test('test titles name only requirements that exist', () => {
  const unknown = (files: SourceFile[]) => [...numbersIn(files)].filter((number) => !all.includes(number));
  expect(unknown(readSources('test', /\.test\.ts$/))).toEqual([]);
  expect(unknown([{ path: 'test/x.test.ts', text: `test('S1-5${4} nothing', () => {});` }])).toEqual(['S1-54']);
});

test('numbers are read from strings of test files, alone and in groups, not from comments', () => {
  const text = `test('R-01, S0-18 and U-2.6: limits', () => {}); // S0-01\ntest.each([{ name: \`LL-39 x\` }])`;
  expect([...numbersIn([{ path: 'test/x.test.ts', text }])]).toEqual(['R-01', 'S0-18', 'U-2.6', 'LL-39']);
});

test('a seed draws always the same, each at most once, and another seed draws others', () => {
  const first = draw(all, 40, 'a');
  expect(new Set(first).size).toBe(40);
  expect(draw(all, 40, 'a')).toEqual(first);
  expect(draw(all, 40, 'b')).not.toEqual(first);
});

function problemsOf(row: Row): string[] {
  const wrong = (what: string) => [`${row.number} ${what}`];
  if (row.words.trim() === '') return wrong('has no words');
  if ('untested' in row) return row.untested.trim() === '' ? wrong('does not say why it has no test') : [];
  const { file, from, to } = row.break;
  if (!existsSync(row.test)) return wrong(`has no file ${row.test}`);
  const titles = row.suite ?? row.test;
  if (!stringsOf(titles).some((text) => text.includes(row.title))) return wrong(`: ${titles} has no "${row.title}"`);
  if (!existsSync(file)) return wrong(`has no file ${file}`);
  const times = readFileSync(file, 'utf8').split(from).length - 1;
  if (times !== 1) return wrong(`: ${file} has ${times} times, not once: ${from}`);
  if (from === to || `${from}${to}`.includes('\n')) return wrong('does not change a line');
  return [];
}

const known = new Map<string, string[]>();

function stringsOf(path: string): string[] {
  const found = known.get(path) ?? tokensOf({ path, text: readFileSync(path, 'utf8') }).strings;
  known.set(path, found);
  return found;
}

function numbersIn(files: SourceFile[]): Set<string> {
  const strings = files
    .filter((file) => !file.path.endsWith('requirements.test.ts'))
    .flatMap((file) => tokensOf(file).strings);
  return new Set(strings.flatMap((text) => text.match(/\b(?:(?:S[0-4]|R|LL)-\d\d|U-\d\.\d)\b/g) ?? []));
}

function numbersOf(group: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${group}-${String(index + 1).padStart(2, '0')}`);
}
