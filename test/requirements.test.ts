/**
 * Which requirement has a test: numbers such as `S1-31` in test titles are the link between the two.
 * A number without a test must be in `requirements.json` with the part that owns it, and leaves that list with its test.
 */
import { expect, test } from 'vitest';
import requirements from './requirements.json' with { type: 'json' };
import { readSources, type SourceFile, tokensOf } from './support/source.js';

const owners: Record<string, string> = requirements.owners;
const all = [
  ...Object.entries(requirements.counts).flatMap(([group, count]) => numbersOf(group, count)),
  ...requirements.sections,
];
const required = all.filter((number) => requirements.mustHaveTests.includes(groupOf(number)));

test('every requirement of the pure half has a test, or a part that owns it', () => {
  const tested = numbersIn(readSources('test', /\.test\.ts$/));
  const missing = required.filter((number) => !tested.has(number));
  console.log(summary(tested));
  const done = Object.keys(owners).filter((number) => tested.has(number));
  expect(missing.filter((number) => !(number in owners))).toEqual([]);
  expect(done, 'have a test now: take them out of requirements.json').toEqual([]);
  expect(Object.keys(owners).filter((number) => !required.includes(number))).toEqual([]);
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

function numbersIn(files: SourceFile[]): Set<string> {
  const strings = files
    .filter((file) => !file.path.endsWith('requirements.test.ts'))
    .flatMap((file) => tokensOf(file).strings);
  return new Set(strings.flatMap((text) => text.match(/\b(?:(?:S[0-4]|R|LL)-\d\d|U-\d\.\d)\b/g) ?? []));
}

function numbersOf(group: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${group}-${String(index + 1).padStart(2, '0')}`);
}

function groupOf(number: string): string {
  return number.slice(0, number.indexOf('-'));
}

function summary(tested: Set<string>): string {
  const groups = [...new Set(all.map(groupOf))].map((group) => {
    const numbers = all.filter((number) => groupOf(number) === group);
    const open = numbers.filter((number) => !tested.has(number));
    return `${group}: ${numbers.length - open.length} of ${numbers.length} named in tests${open.length > 0 ? `, not ${open.join(' ')}` : ''}`;
  });
  return groups.join('\n');
}
