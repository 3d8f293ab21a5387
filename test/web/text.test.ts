/** The page's own words, without a browser. */
import { expect, test } from 'vitest';
import { daysBefore, daysBetween } from '../../src/view/web/chart/day.js';
import { layOut, marksBetween, ticksBetween } from '../../src/view/web/chart/lane.js';
import { readAnswers } from '../../src/view/web/text/answers.js';
import { readEdit } from '../../src/view/web/text/changes.js';
import { rowsBetween, rowsOfPatch } from '../../src/view/web/text/diff-row.js';
import { editsOf } from '../../src/view/web/text/edit.js';
import { filesIn } from '../../src/view/web/text/files-in.js';
import { wordPattern } from '../../src/view/web/text/find-words.js';
import { ago, duration, money } from '../../src/view/web/text/format.js';
import { emptyMarkdown, growMarkdown } from '../../src/view/web/text/markdown-blocks.js';
import { fieldsOfSchema } from '../../src/view/web/text/schema-fields.js';
import { visible } from '../../src/view/web/text/visible.js';

test.each([
  ['plain\ttext\n', 'plain\ttext\n'],
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u001b]8;;https://x\u0007link\u001b]8;;\u0007', 'link'],
  ['a\u0000b\u0008c', 'abc'],
  ['\u202eevil', '⟨U+202E⟩evil'],
  ['50 %\r100 %\r\n', '50 %100 %\n'],
])('visible(%j)', (text, expected) => {
  expect(visible(text)).toBe(expected);
});

test('Markdown that grows gives what the whole gives, however it is cut', () => {
  const whole =
    '# Title\n\nSome *words*\nand more.\n\n- one\n- two\n\n  still two\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> quoted\n\nThe end.';
  const expected = growMarkdown(emptyMarkdown, whole, true).blocks.map(({ token }) => token.raw);
  let grown = emptyMarkdown;
  for (let length = 1; length <= whole.length; length += 1) grown = growMarkdown(grown, whole.slice(0, length), false);
  const blocks = growMarkdown(grown, whole, true).blocks.map(({ token }) => token.raw);
  expect(blocks).toEqual(expected);
});

test('finished blocks of growing Markdown are not made again', () => {
  const text = 'One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.';
  const before = growMarkdown(emptyMarkdown, text, false);
  const after = growMarkdown(before, `${text} And more.`, false);
  expect(before.settled).toBeGreaterThan(2);
  for (let index = 0; index < before.settled; index += 1) expect(after.blocks[index]).toBe(before.blocks[index]);
});

test.each([
  ['nothing', { a: { b: 1 } }, { changes: {}, removals: [] }],
  ['a value', { a: { b: 2 } }, { changes: { '/a/b': 2 }, removals: [] }],
  ['a new field', { a: { b: 1 }, 'c/d': true }, { changes: { '/c~1d': true }, removals: [] }],
  ['a removed field', { a: {} }, { changes: {}, removals: ['/a/b'] }],
])('an edit of %s', (_, edited, expected) => {
  expect(readEdit({ a: { b: 1 } }, JSON.stringify(edited))).toEqual(expected);
});

test('an edit that is no JSON is no edit', () => {
  expect(readEdit({}, '{')).toMatchObject({ problem: expect.stringContaining('not JSON') });
});

test('rows of a diff, from hunks and from two texts', () => {
  const rows = [
    { kind: 'same', text: 'a' },
    { kind: 'remove', text: 'b' },
    { kind: 'add', text: 'c' },
  ];
  expect(rowsOfPatch('--- x\n+++ y\n@@ -1 +1 @@\n a\n-b\n+c\n')).toEqual([
    { kind: 'hunk', text: '@@ -1 +1 @@' },
    ...rows,
  ]);
  expect(rowsOfPatch('Index: x\n===\n--- x\n@@ -1 +0,0 @@\n--- note\n\\ No newline at end of file\n')).toEqual([
    { kind: 'hunk', text: '@@ -1 +0,0 @@' },
    { kind: 'remove', text: '-- note' },
  ]);
  expect(rowsBetween('a\nb', 'a\nc')).toEqual(rows);
});

test('edits are found under the names that agents use', () => {
  const edit = { path: 'a', before: 'x', after: 'y' };
  expect(editsOf({ file_path: 'a', old_string: 'x', new_string: 'y' })).toEqual([edit]);
  expect(editsOf({ filePath: 'a', edits: [{ oldString: 'x', newString: 'y' }] })).toEqual([edit]);
  expect(editsOf({ path: 'a', content: 'y' })).toEqual([{ ...edit, before: '' }]);
  for (const other of [undefined, null, 'text', { command: 'ls' }, { path: 'a' }]) expect(editsOf(other)).toEqual([]);
});

test('answers have the names by which the agent asked', () => {
  const data = new FormData();
  for (const [name, value] of [
    ['q0', 'Red'],
    ['q0-other', ''],
    ['q1', 'A'],
    ['q1', 'B'],
    ['q1-other', 'C'],
    ['q2', 'X'],
    ['q2-other', 'Y'],
  ] as const) {
    data.append(name, value);
  }
  const questions = [{ question: 'One?' }, { question: 'Two?', multiple: true }, { question: 'Three?' }];
  expect(readAnswers(data, questions, [])).toEqual({ 'One?': 'Red', 'Two?': 'A, B, C', 'Three?': 'Y' });
});

test('a schema of whatever shape gives fields', () => {
  expect(fieldsOfSchema({ properties: { a: { type: 'integer', default: 3 }, b: 7 }, required: ['a'] })).toMatchObject([
    { name: 'a', type: 'integer', initial: '3', isRequired: true },
    { name: 'b', title: 'b', type: 'text', isRequired: false },
  ]);
  for (const odd of [undefined, null, 'x', { properties: 1 }]) expect(fieldsOfSchema(odd)).toEqual([]);
});

test('numbers as people read them', () => {
  expect([0, 950, 1500, 90_000, 7_260_000].map(duration)).toEqual([
    '0 ms',
    '950 ms',
    '1.5 s',
    '1 min 30 s',
    '2 h 1 min',
  ]);
  expect(money(undefined)).toBe('');
  expect(money({ usd: 0.0123, origin: 'reported' })).toBe('$0.0123');
  expect(money({ usd: 12, origin: 'lower-bound' })).toBe('≥ $12.00');
  expect([0, 90_000, 7_200_000, 172_800_000].map((ms) => ago(0, ms))).toEqual(['now', '1 min', '2 h', '2 d']);
});

const span = (key: string, startMs: number, endMs?: number) =>
  ({ key, kind: 'tool', label: key, startMs, thread: 0, ...(endMs !== undefined && { endMs }) }) as const;

test('spans of a timeline share a lane only when they do not overlap', () => {
  const { bars, lanes, wholeMs } = layOut([span('a', 5, 15), span('b', 10, 13), span('c', 15, 17), span('d', 16)], 25);
  expect(bars.map(({ lane }) => lane)).toEqual([0, 1, 0, 1]);
  expect({ lanes, wholeMs }).toEqual({ lanes: 2, wholeMs: 20 });
});

test('only what is seen of a timeline is drawn, and what is too small to be told apart is one', () => {
  const spans = Array.from({ length: 10_000 }, (_, index) => span(`s${index}`, index * 10, index * 10 + 9));
  const { bars } = layOut(spans, 0);
  const whole = marksBetween(bars, 0.01, 0, 1000);
  expect(whole.length).toBeLessThan(400);
  expect(whole.reduce((sum, mark) => sum + mark.bars.length, 0)).toBe(10_000);
  const part = marksBetween(bars, 1, 500, 1000);
  expect(part.map((mark) => mark.bars.length)).toEqual(part.map(() => 1));
  expect([part[0]?.left, part.at(-1)?.left]).toEqual([500, 1000]);
});

test.each([
  [0.1, 0, 1000, [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000]],
  [0.1, 450, 720, [5000, 6000, 7000]],
])('%f px per ms from %i to %i: ticks', (pxPerMs, from, to, expected) => {
  expect(ticksBetween(pxPerMs, from, to)).toEqual(expected);
});

test('days without spending are part of the picture', () => {
  expect(daysBetween('2026-02-27', '2026-03-02')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']);
  expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28');
});

test('words are found where they begin, in any case, and whatever characters they have', () => {
  const found = (text: string, words: string[]) =>
    [...text.matchAll(wordPattern(words) ?? /$^/g)].map(({ index }) => index);
  expect(found('A voucher, Vouchers, evoucher', ['voucher'])).toEqual([2, 11]);
  expect(found('what (a.b)? axb', ['a.b'])).toEqual([6]);
  expect(found('anything', [])).toEqual([]);
});

test.each([
  ['src/a.ts\nsrc/b.ts\n', ['src/a.ts', 'src/b.ts']],
  ['Found 2 files\n/home/me/a.ts\nREADME.md', ['/home/me/a.ts', 'README.md']],
  ['src/a.ts:12: const a = 1;', undefined],
  ['No files found', undefined],
  ['', undefined],
])('files in %j', (output, expected) => {
  expect(filesIn(output)).toEqual(expected);
});
