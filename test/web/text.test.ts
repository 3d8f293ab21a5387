/** The page's own words, without a browser. */
import { expect, onTestFinished, test, vi } from 'vitest';
import type { RunRecord } from '../../src/client/index.js';
import { fieldsOf, rowsOfPatch } from '../../src/consent/index.js';
import { selectRun } from '../../src/session/index.js';
import { axisTop, tickText } from '../../src/view/web/chart/axis.js';
import { layOut, marksBetween, ticksBetween, timeText } from '../../src/view/web/chart/lane.js';
import { rowsOf } from '../../src/view/web/state/rows.js';
import { rowsBetween } from '../../src/view/web/text/diff-row.js';
import { editableFields, readFields, readJson } from '../../src/view/web/text/edited-input.js';
import { filesIn } from '../../src/view/web/text/files-in.js';
import { readForm } from '../../src/view/web/text/filled-form.js';
import { wordPattern } from '../../src/view/web/text/find-words.js';
import { ago, money } from '../../src/view/web/text/format.js';
import { highlight } from '../../src/view/web/text/highlight.js';
import { limitsText, ownLimitsText } from '../../src/view/web/text/limits.js';
import { emptyMarkdown, growMarkdown } from '../../src/view/web/text/markdown-blocks.js';
import { permissionText } from '../../src/view/web/text/permission.js';
import { prettyJson } from '../../src/view/web/text/pretty-json.js';
import { visible } from '../../src/view/web/text/visible.js';
import { type Body, play } from '../session/play.js';

test.each([
  ['plain\ttext\n', 'plain\ttext\n'],
  ['\u001b[1;31mred\u001b[0m', '⟨U+001B⟩[1;31mred⟨U+001B⟩[0m'],
  ['a\u0000b\u0008c', 'a⟨U+0000⟩b⟨U+0008⟩c'],
  ['\u202eevil', '⟨U+202E⟩evil'],
  ['50 %\r100 %\r\n', '50 %\n100 %\n'],
  ['a\u{e0049}\ufeff\u2028b', 'a⟨U+E0049⟩⟨U+FEFF⟩⟨U+2028⟩b'],
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
  ['links that are never closed', 'markdown', '[a]('.repeat(1_000)],
  ['a name without end', 'java', 'a'.repeat(5_000)],
  ['nothing but lines', 'typescript', '\n'.repeat(5_000)],
])('code that would hold up the page stays plain: %s', (_, language, code) => {
  expect(highlight(code, language)).toBeUndefined();
  expect(highlight(code.slice(0, 20), language)).toBeDefined();
});

test.each([
  ['an object', '{"a":[1]}', '{\n  "a": [\n    1\n  ]\n}'],
  ['words', 'a {b}', undefined],
  ['half of it', '{"a":', undefined],
  ['levels that would be millions of spaces', '['.repeat(1_000) + ']'.repeat(1_000), undefined],
])('JSON that a tool gave back: %s', (_, text, expected) => {
  expect(prettyJson(text)).toBe(expected);
});

const given = { a: { b: 1 }, text: 'x\ny' };

test.each<[string, object, object]>([
  ['a value', { ...given, a: { b: 2 } }, { changes: { set: { '/a/b': 2 } } }],
  ['a new field', { ...given, 'c/d': true }, { changes: { set: { '/c~1d': true } } }],
  ['a removed field', { a: given.a }, { changes: { remove: ['/text'] } }],
  ['nothing', given, { problem: 'Nothing was changed.' }],
])('an edit of %s as JSON', (_, edited, expected) => {
  expect(readJson(given, JSON.stringify(edited))).toEqual(expected);
});

test('an edit field by field: a text as it is, anything else as JSON', () => {
  const fields = editableFields(given);
  expect(fields.map(({ text }) => text)).toEqual(['{\n  "b": 1\n}', 'x\ny']);
  const edit = (name: string, text: string) =>
    fields.map((field) => (field.name === name ? { ...field, text } : field));
  expect(readFields(given, edit('text', 'x\nz'))).toEqual({ changes: { set: { '/text': 'x\nz' } } });
  expect(readFields(given, edit('a', '{"b":3}'))).toEqual({ changes: { set: { '/a/b': 3 } } });
  expect(readFields(given, edit('a', '{'))).toEqual({ problem: expect.stringMatching(/^a: This is not JSON/) });
  expect(readFields(given, fields)).toEqual({ problem: 'Nothing was changed.' });
});

test('rows of a diff, from hunks with the numbers of the file and from two texts without', () => {
  const rows = [
    { kind: 'same', text: 'a' },
    { kind: 'remove', text: 'b' },
    { kind: 'add', text: 'c' },
  ];
  expect(rowsOfPatch('--- x\n+++ y\n@@ -7,2 +9,2 @@ f()\n a\n-b\n+c\n@@ -20 +22 @@\n d\n')).toEqual([
    { kind: 'same', text: 'a', old: 7, new: 9 },
    { kind: 'remove', text: 'b', old: 8 },
    { kind: 'add', text: 'c', new: 10 },
    { kind: 'gap', text: '' },
    { kind: 'same', text: 'd', old: 20, new: 22 },
  ]);
  expect(rowsOfPatch('Index: x\n===\n--- x\n@@ -1 +0,0 @@\n--- note\n\\ No newline at end of file\n')).toEqual([
    { kind: 'remove', text: '-- note', old: 1 },
  ]);
  // Some patches name a place by its words.
  expect(rowsOfPatch('@@ class A\n a\n-b\n+c\n')).toEqual(rows);
  expect(rowsBetween('a\nb', 'a\nc')).toEqual(rows);
});

test('a difference is the same however busy the machine is', () => {
  let now = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 1000));
  onTestFinished(() => clock.mockRestore());
  expect(rowsBetween('one\ntwo', 'one\n2').map(({ kind }) => kind)).toEqual(['same', 'remove', 'add']);
});

test('texts that differ in how they end alone are shown as such', () => {
  expect(rowsBetween('a', 'a\n')).toEqual([
    { kind: 'remove', text: 'a' },
    { kind: 'add', text: 'a' },
  ]);
  expect(rowsBetween('a\n', 'a\n')).toEqual([]);
});

test('answers have the names by which the agent asked', () => {
  const data = new FormData();
  for (const [name, value] of [
    ['f0', 'Red'],
    ['f0-own', ''],
    ['f1', 'A'],
    ['f1', 'B'],
    ['f1-own', 'C'],
    ['f2', 'X'],
    ['f2-own', 'Y'],
  ] as const) {
    data.append(name, value);
  }
  const questions = [{ question: 'One?' }, { question: 'Two?', multiple: true }, { question: 'Three?' }];
  const answers = { 'One?': 'Red', 'Two?': 'A, B, C', 'Three?': 'Y' };
  expect(readForm(data, fieldsOf({ questions }))).toEqual({ answers });
  const open = [...questions, { question: 'Four?' }, { question: 'Five?' }];
  expect(readForm(data, fieldsOf({ questions: open }))).toEqual({
    problems: ['"Four?" is not answered yet.', '"Five?" is not answered yet.'],
  });
});

test('numbers as people read them', () => {
  expect(money(undefined)).toBe('');
  expect(money({ usd: 0.0123, origin: 'reported' })).toBe('$0.0123');
  expect(money({ usd: 12, origin: 'lower-bound' })).toBe('at least $12.0000');
  expect([0, 90_000, 7_200_000, 172_800_000].map((ms) => ago(0, ms))).toEqual(['now', '1 min', '2 h', '2 d']);
});

const span = (key: string, startMs: number, endMs?: number) =>
  ({ key, kind: 'tool', label: key, startMs, thread: 0, run: 0, ...(endMs !== undefined && { endMs }) }) as const;

test('spans of a timeline share a lane only when they do not overlap', () => {
  const { bars, lanes, wholeMs } = layOut([span('a', 5, 15), span('b', 10, 13), span('c', 15, 17), span('d', 16)], 25);
  expect(bars.map(({ lane }) => lane)).toEqual([0, 1, 0, 1]);
  expect({ lanes, wholeMs }).toEqual({ lanes: 2, wholeMs: 20 });
});

test('each conversation of a timeline has lanes of its own below its title, unless it is folded', () => {
  const below = { ...span('b', 6, 9), thread: 1 };
  const place = (thread: number, isFolded = false) => ({ thread, depth: thread, isFolded });
  const { bars, sections, lanes } = layOut([span('a', 5, 15), below, span('c', 15, 17)], 25, [place(0), place(1)]);
  expect(bars.map(({ span: { key }, lane }) => [key, lane])).toEqual([
    ['a', 1],
    ['c', 1],
    ['b', 3],
  ]);
  expect(sections.map(({ headLane }) => headLane)).toEqual([0, 2]);
  expect(lanes).toBe(4);
  expect(layOut([span('a', 5, 15), below], 25, [place(0), place(1, true)]).bars).toHaveLength(1);
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

test('many small ones of a timeline never look like one large one, and take nothing in that stands for itself', () => {
  const { bars } = layOut(
    Array.from({ length: 2000 }, (_, index) => span(`s${index}`, index * 10, index * 10 + 9)),
    0,
  );
  const many = marksBetween(bars, 0.05, 0, 1000);
  expect(Math.max(...many.map(({ left, right }) => right - left))).toBeLessThan(10);
  expect(many.length).toBeGreaterThan(100);
  const beside = layOut([span('small', 0, 1), span('large', 2, 900), span('next', 901, 902)], 0);
  const marks = marksBetween(beside.bars, 0.5, 0, 1000);
  expect(marks.map(({ bars: own, left, right }) => [own[0].span.key, own.length, left, right])).toEqual([
    ['small', 1, 0, 1],
    ['large', 1, 1, 450],
    ['next', 1, 450.5, 453.5],
  ]);
});

test.each([
  [0, 1, '$1'],
  [0.8033, 1, '$1'],
  [0.41, 0.5, '$0.50'],
  [0.0072, 0.008, '$0.008'],
  [37, 40, '$40'],
  [1, 1, '$1'],
])('the axis above %f dollars is %f', (most, round, words) => {
  expect(axisTop(most)).toBeCloseTo(round, 10);
  expect(tickText(axisTop(most))).toBe(words);
});

test.each([
  [0.1, 0, 1000, [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000]],
  [0.1, 450, 720, [5000, 6000, 7000]],
])('%f px per ms from %i to %i: ticks', (pxPerMs, from, to, expected) => {
  expect(ticksBetween(pxPerMs, from, to)).toEqual(expected);
});

test.each([
  [0, '0'],
  [150, '150 ms'],
  [1050, '1.05 s'],
  [12_000, '12 s'],
  [60_050, '1m0.05s'],
  [600_000, '10m'],
  [5_400_000, '1h30m'],
])('a tick at %i ms is %s, which no other is', (ms, words) => {
  expect(timeText(ms)).toBe(words);
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

test('how far a run may go and how far it has gone', () => {
  const run = (limits?: object) =>
    ({ startedAt: 1000, terms: { permission: 'ask', followUp: true, ...(limits && { limits }) } }) as RunRecord;
  const cost = { usd: 0.04, scope: 'process', origin: 'lower-bound' } as const;
  const usage = { inputTokens: 2000, outputTokens: 500, cacheReadTokens: 90_000, cacheWriteTokens: 1000 };
  const told = (limits?: object, spent: Partial<Parameters<typeof ownLimitsText>[1]> = {}) =>
    ownLimitsText(run(limits), { cost: undefined, usage: undefined, ...spent }, 13_900);
  expect(told()).toBe('12 s in all');
  expect(told({ timeoutMs: 600_000, maxTurns: 7 })).toBe('12 s of 10m0s · at most 7 turns');
  expect(told({ budgetUsd: 1.5 })).toBe('12 s in all · at most $1.5');
  expect(told({ budgetUsd: 1.5 }, { cost })).toBe('12 s in all · at least $0.0400 of $1.5');
  expect(told({ budgetTokens: 50_000, maxTurns: 1 }, { usage })).toBe(
    '12 s in all · 3.5K of 50K tokens · at most 1 turn',
  );
  // Followed or read: nobody knows what it was started with.
  expect(ownLimitsText({ startedAt: 1 } as RunRecord, { cost, usage }, 2)).toBe('');
});

test('limits of the account, without those that have ended or are not known', () => {
  const windows = [
    { name: 'five_hour', utilization: 0.124, resetsAt: 2000 },
    { name: 'seven_day', utilization: 0.4 },
    { name: 'ended', utilization: 0.9, resetsAt: 1000 },
    { name: 'unknown' },
  ];
  expect(limitsText(windows, 1000)).toBe('limits: five hour 12 %, seven day 40 %');
  expect(limitsText([], 1000)).toBe('');
});

test('what an agent may do: what it was started with, and the mode that it told since', () => {
  const started = play([{ type: 'session-start', permissionMode: 'default' }]);
  const changed = play([
    { type: 'session-start', permissionMode: 'default' },
    { type: 'session-update', permissionMode: 'acceptEdits' },
  ]);
  expect(permissionText('ask', undefined)).toBe('permission at start: Ask me');
  expect(permissionText('ask', selectRun(started))).toBe('permission at start: Ask me');
  expect(permissionText('ask', selectRun(changed))).toBe('mode now: acceptEdits, permission at start: Ask me');
  expect(permissionText(undefined, selectRun(changed))).toBe('mode now: acceptEdits');
  expect(permissionText(undefined, selectRun(started))).toBe('');
});

test('what failed is told once, also when the agent says it as its answer', () => {
  const error = { category: 'billing', message: 'Credit balance is too low' } as const;
  const kinds = (text: string) =>
    rowsOf(
      play([
        { type: 'turn-start' },
        { type: 'text-end', messageId: 'm', index: 0, text },
        { type: 'agent-error', ...error, fatal: true },
        { type: 'turn-end', outcome: 'failed', error },
      ]),
    ).map(({ kind }) => kind);
  expect(kinds('Credit balance is too low\n')).toEqual(['event', 'turn']);
  expect(kinds('I tried.')).toEqual(['text', 'event', 'turn']);
});

test('who else comes into the folder is one line, however many come, until something else happens', () => {
  const come = (message: string): Body => ({ type: 'warning', code: 'shared-folder', message });
  const told = (...bodies: Body[]) =>
    rowsOf(play([{ type: 'turn-start' }, ...bodies])).map((row) =>
      row.kind === 'event' && row.content.type === 'warning' ? row.content.message : row.kind,
    );
  const first = 'Another session works in this folder too, a (claude): they may write over each other.';
  const [b, c, d] = ['b (claude)', 'c (x)', 'd (claude), e (claude)'].map((names) =>
    come(`Now ${names} ${names.includes(',') ? 'work' : 'works'} in this folder too.`),
  ) as [Body, Body, Body];
  expect(told(come(first), b)).toEqual([first, 'Now b (claude) works in this folder too.']);
  expect(told(come(first), b, c, d)).toEqual([
    first,
    'Now b (claude), c (x), d (claude), e (claude) work in this folder too.',
  ]);
  const said: Body = { type: 'text-end', messageId: 'm', index: 0, text: 'So?' };
  expect(told(b, said, c)).toHaveLength(3);
  const [older, newer] = [rowsOf(play([b, c])), rowsOf(play([b, c, said]))];
  expect(older[0]?.key).toBe(newer[0]?.key);
});

test('a plan is not shown twice while it is asked about, and stays when it was answered', () => {
  const plan = '# First this';
  const proposed: Body[] = [
    { type: 'turn-start' },
    { type: 'plan-mode', state: 'propose', plan, toolId: 't' },
    { type: 'approval-request', id: 'q', kind: 'plan', plan, toolId: 't' },
  ];
  const answered: Body = { type: 'approval-resolve', id: 'q', decision: 'allow', by: 'person' };
  const kinds = (...bodies: Body[]) => rowsOf(play(bodies)).map(({ kind }) => kind);
  expect(kinds(...proposed)).toEqual([]);
  expect(kinds(...proposed, answered)).toContain('event');
});
