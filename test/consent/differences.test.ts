/** How files would change, against the files as they are: true numbers, and a reason where nothing can be shown. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { differencesOf, MOST_CHARACTERS, MOST_FILES, MOST_LINES } from '../../src/consent/differences.js';
import { editTexts } from '../../src/consent/edit-text.js';
import { findPart } from '../../src/consent/find-part.js';
import { hunksBetween } from '../../src/consent/line-hunks.js';
import type { Difference, DifferenceHunk, Edit } from '../../src/event/index.js';

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

interface Case {
  file?: string;
  edits: Omit<Edit, 'path'>[];
  redact?: (text: string) => string;
}

function differ({ file, edits, redact = (text) => text }: Case): Difference {
  const given = edits.map((edit) => ({ path: 'a.ts', ...edit }));
  const {
    differences: [difference, ...others],
  } = differencesOf({ edits: given }, { readFile: () => ({ id: '/a.ts', text: file }), redact });
  if (!difference || others.length > 0) throw new Error('one file has one difference');
  return difference;
}

const replace = (before: string, after: string, all = false): Omit<Edit, 'path'> => ({
  kind: 'replace',
  before: { text: before },
  after: { text: after },
  ...(all && { all }),
});
const write = (after: string): Omit<Edit, 'path'> => ({ kind: 'write', after: { text: after } });
const patch = (diff: string): Omit<Edit, 'path'> => ({ kind: 'patch', diff: { text: diff } });

describe('an edit is shown where it stands', () => {
  it('with true line numbers and three lines around it', () => {
    expect(differ({ file: numbered(20), edits: [replace('line 10', 'ten')] })).toEqual({
      path: 'a.ts',
      hunks: [
        {
          oldStart: 7,
          newStart: 7,
          lines: [' line 7', ' line 8', ' line 9', '-line 10', '+ten', ' line 11', ' line 12', ' line 13'],
        },
      ],
    });
  });

  it('and a later hunk counts what an earlier one added', () => {
    const { hunks } = differ({
      file: numbered(40),
      edits: [replace('line 3\n', 'x\ny\nz\n'), replace('line 30', 'w')],
    });
    expect(hunks.map(({ oldStart, newStart }) => [oldStart, newStart])).toEqual([
      [1, 1],
      [27, 29],
    ]);
  });

  it.each<[string, Case, Partial<Difference>]>([
    ['a new file', { edits: [write('a\nb\n')] }, { created: true, hunks: [hunk(1, 1, '+a', '+b')] }],
    ['an old one with nothing in it', { file: '', edits: [write('a\n')] }, { hunks: [hunk(1, 1, '+a')] }],
    ['a file that goes', { file: 'a\n', edits: [{ kind: 'delete' }] }, { deleted: true, hunks: [hunk(1, 1, '-a')] }],
    ['a file that moves', { file: 'a\n', edits: [{ kind: 'move', to: 'b.ts' }] }, { to: 'b.ts', hunks: [] }],
    [
      'every occurrence',
      { file: 'a\nb\na\n', edits: [replace('a', 'c', true)] },
      { hunks: [hunk(1, 1, '-a', '+c', ' b', '-a', '+c')] },
    ],
    [
      'one edit after the other',
      { file: 'a\n', edits: [replace('a', 'b'), replace('b', 'c')] },
      { hunks: [hunk(1, 1, '-a', '+c')] },
    ],
    [
      'a part of a line',
      { file: 'let a = 1;\n', edits: [replace('1', '2')] },
      { hunks: [hunk(1, 1, '-let a = 1;', '+let a = 2;')] },
    ],
    [
      'an edit without an old text makes a file',
      { edits: [replace('', 'a\n')] },
      { created: true, hunks: [hunk(1, 1, '+a')] },
    ],
    [
      'CRLF that the agent reads as LF',
      { file: 'a\r\nb\r\nc\r\n', edits: [replace('a\nb', 'a\nB')] },
      { hunks: [hunk(1, 1, ' a', '-b', '+B', ' c')] },
    ],
    [
      'a byte order mark stays',
      { file: '\ufeffa\nb\n', edits: [replace('a', 'c')] },
      { hunks: [hunk(1, 1, '-a', '+c', ' b')] },
    ],
    ['no newline at the end', { file: 'a\nb', edits: [replace('b', 'c')] }, { hunks: [hunk(1, 1, ' a', '-b', '+c')] }],
    [
      'hunks',
      { file: numbered(9), edits: [patch('@@ -4,2 +4,2 @@\n line 4\n-line 5\n+five\n')] },
      { hunks: [hunk(2, 2, ' line 2', ' line 3', ' line 4', '-line 5', '+five', ' line 6', ' line 7', ' line 8')] },
    ],
    [
      'hunks of CRLF',
      { file: 'a\r\nb\r\n', edits: [patch('@@ -1,2 +1,2 @@\n a\n-b\n+c\n')] },
      { hunks: [hunk(1, 1, ' a', '-b', '+c')] },
    ],
    [
      'hunks that moved',
      { file: numbered(3), edits: [patch('@@ -90 +90 @@\n-line 2\n+two\n')] },
      { hunks: [hunk(1, 1, ' line 1', '-line 2', '+two', ' line 3')] },
    ],
    [
      'hunks that put something first',
      { file: 'b\n', edits: [patch('@@ -0,0 +1 @@\n+a\n')] },
      { hunks: [hunk(1, 1, '+a', ' b')] },
    ],
    [
      'hunks that tell no line',
      { file: 'a\nb\n', edits: [patch('@@\n-b\n+c\n')] },
      { hunks: [hunk(1, 1, ' a', '-b', '+c')] },
    ],
    [
      'a moved file that changes',
      { file: 'a\n', edits: [{ kind: 'move', to: 'b.ts', diff: { text: '@@ -1 +1 @@\n-a\n+b\n' } }] },
      { to: 'b.ts', hunks: [hunk(1, 1, '-a', '+b')] },
    ],
  ])('%s', (_, given, expected) => {
    expect(differ(given)).toEqual({ path: 'a.ts', ...expected });
  });

  it('a text that stands in the input', () => {
    const edits: Edit[] = [
      { path: 'a', kind: 'replace', before: { at: '/edits/0/old' }, after: { at: '/edits/0/new' } },
    ];
    const input = { edits: [{ old: 'x', new: 'y' }] };
    const {
      differences: [difference],
    } = differencesOf({ edits, input }, { readFile: () => ({ id: 'a', text: 'x\n' }), redact: String });
    expect(difference?.hunks).toEqual([hunk(1, 1, '-x', '+y')]);
  });

  it('the same file under two names once', () => {
    const edits: Edit[] = ['a', './a'].map((path, index) => ({ path, ...replace(`${index}`, 'x') }));
    const { differences } = differencesOf(
      { edits },
      { readFile: () => ({ id: '/a', text: '0\n1\n' }), redact: String },
    );
    expect(differences).toEqual([{ path: 'a', hunks: [hunk(1, 1, '-0', '-1', '+x', '+x')] }]);
  });
});

it('under each of its names, where it cannot be compared: what is written under the second is shown too', () => {
  const edits: Edit[] = [
    { path: 'a', ...replace('not there', 'x') },
    { path: './a', ...write('other') },
  ];
  const { differences } = differencesOf({ edits }, { readFile: () => ({ id: '/a', text: '0\n' }), redact: String });
  expect(differences.map(({ path, notShown }) => [path, notShown])).toEqual([
    ['a', expect.stringContaining('does not stand')],
    ['./a', expect.stringContaining('does not stand')],
  ]);
});

describe('what no line shows is said', () => {
  it.each<[string, Case, string]>([
    ['nothing', { file: 'a\n', edits: [write('a\n')] }, 'Nothing changes: the file already says this.'],
    ['line endings', { file: 'a\r\nb\r\n', edits: [write('a\nb\n')] }, 'Line endings change from CRLF to LF.'],
    ['some line endings', { file: 'a\nb\n', edits: [write('a\r\nb\n')] }, 'Line endings change from LF to mixed.'],
    ['the last newline', { file: 'a\n', edits: [write('a')] }, 'The newline at the end goes away.'],
    ['a last newline', { file: 'a', edits: [write('a\n')] }, 'A newline is added at the end.'],
    [
      'a last newline by a patch',
      { file: 'a', edits: [patch('@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n')] },
      'A newline is added at the end.',
    ],
    [
      'no last newline by a patch',
      { file: 'a\n', edits: [patch('@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file\n')] },
      'The newline at the end goes away.',
    ],
    [
      'a byte order mark',
      { file: '\ufeffa\n', edits: [write('a\n')] },
      'The byte order mark at the beginning goes away.',
    ],
    [
      'a new byte order mark',
      { file: 'a\n', edits: [write('\ufeffa\n')] },
      'A byte order mark is added at the beginning.',
    ],
  ])('%s', (_, given, remark) => {
    expect(differ(given)).toEqual({ path: 'a.ts', remarks: [remark], hunks: [] });
  });
});

describe('what cannot be shown says why', () => {
  it.each<[string, Case, RegExp]>([
    ['an old text that is not there', { file: 'a\n', edits: [replace('b', 'c')] }, /does not stand in the file/],
    ['one that is there twice', { file: 'a\na\n', edits: [replace('a', 'c')] }, /more than once/],
    [
      'one that is there twice as CRLF',
      { file: 'a\r\nb\r\na\r\nb\r\n', edits: [replace('a\nb', 'c')] },
      /more than once/,
    ],
    ['an edit of no file', { edits: [replace('b', 'c')] }, /does not exist/],
    ['a patch of no file', { edits: [patch('@@ -1 +1 @@\n-a\n+b')] }, /does not exist/],
    ['a new file where one is', { file: 'a\n', edits: [replace('', 'b')] }, /which text is replaced/],
    ['a patch that does not fit', { file: 'a\n', edits: [patch('@@ -1 +1 @@\n-x\n+b\n')] }, /does not fit/],
    [
      'a patch that fits in two places',
      { file: 'x\na\nb\na\n', edits: [patch('@@ -1 +1 @@\n-a\n+b\n')] },
      /does not fit/,
    ],
    ['a patch that is none', { file: 'a\n', edits: [patch('*** nothing')] }, /does not fit/],
    ['an edit that tells no text', { file: 'a\n', edits: [{ kind: 'write' }] }, /does not tell/],
    [
      'an edit that points nowhere',
      { file: 'a\n', edits: [{ kind: 'write', after: { at: '/content' } }] },
      /does not tell/,
    ],
    ['too many lines', { edits: [write('\n'.repeat(MOST_LINES + 1))] }, /too long, 4001 lines/],
    ['too long lines', { edits: [write('x'.repeat(MOST_CHARACTERS))] }, /too long/],
    [
      'a second edit that does not fit',
      { file: 'a\n', edits: [replace('a', 'b'), replace('a', 'c')] },
      /does not stand/,
    ],
  ])('%s', (_, given, why) => {
    expect(differ(given)).toEqual({ path: 'a.ts', notShown: expect.stringMatching(why), hunks: [] });
  });

  it('a file that may not be read', () => {
    const { differences } = differencesOf(
      { edits: [{ path: '/etc/passwd', ...write('x') }] },
      { readFile: () => ({ notShown: 'outside' }), redact: String },
    );
    expect(differences).toEqual([{ path: '/etc/passwd', notShown: 'outside', hunks: [] }]);
  });

  it('too many files, each by its name; no more of them are read', () => {
    let read = 0;
    const edits: Edit[] = Array.from({ length: MOST_FILES + 2 }, (_, index) => ({ path: `${index}`, ...write('x') }));
    const readFile = (path: string) => {
      read += 1;
      return { id: path, text: undefined };
    };
    const { differences } = differencesOf({ edits }, { readFile, redact: String });
    expect(differences.filter(({ notShown }) => notShown !== undefined)).toHaveLength(2);
    expect(differences).toHaveLength(MOST_FILES + 2);
    expect(read).toBe(MOST_FILES);
  });
});

describe('secrets', () => {
  const KEY = 'BEGIN\nabc\ndef\nEND';
  /** As a guard does that knows a secret only as a whole. */
  const redact = (text: string) => text.replaceAll(KEY, '[redacted:key]').replaceAll(/token=\w+/g, 'token=[redacted]');

  it('of several lines are hidden line by line, also where only one of them is around an edit', () => {
    const file = `${KEY}\nx\n`;
    expect(differ({ file, edits: [replace('x', 'y')], redact }).hunks).toEqual([
      hunk(2, 2, ' [redacted]', ' [redacted]', ' [redacted]', '-x', '+y'),
    ]);
  });

  it('are hidden where an edit would make one', () => {
    expect(differ({ file: 'abc\ndef\n', edits: [write(`${KEY}\n`)], redact }).hunks).toEqual([
      hunk(1, 1, '+[redacted]', ' [redacted]', ' [redacted]', '+[redacted]'),
    ]);
  });

  it('of one line leave the rest of it', () => {
    expect(differ({ file: 'token=a b\n', edits: [replace('b', 'c')], redact }).hunks).toEqual([
      hunk(1, 1, '-token=[redacted] b', '+token=[redacted] c'),
    ]);
  });
});

test('hunks lead from the one text to the other, with true numbers, and have no more than three lines around a change', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const hunks = hunksBetween(before, after);
      const rebuilt: string[] = [];
      let at = 0;
      for (const { oldStart, newStart, lines: told } of hunks) {
        rebuilt.push(...before.slice(at, oldStart - 1));
        expect(rebuilt).toHaveLength(newStart - 1);
        const old = told.filter((line) => !line.startsWith('+')).map((line) => line.slice(1));
        expect(before.slice(oldStart - 1, oldStart - 1 + old.length)).toEqual(old);
        rebuilt.push(...told.filter((line) => !line.startsWith('-')).map((line) => line.slice(1)));
        at = oldStart - 1 + old.length;
        expect(told.join('\n')).not.toMatch(/^( .\n){4}|(\n .){4}$|(\n .){7}/);
      }
      expect([...rebuilt, ...before.slice(at)]).toEqual(after);
    }),
  );
});

test('texts that differ everywhere are one block, whatever their length', () => {
  const [before, after] = [numbered(3000), numbered(3000).replaceAll('line', 'row')].map((text) => text.split('\n'));
  const [first, ...others] = hunksBetween(before ?? [], after ?? []);
  expect(others).toEqual([]);
  expect(first?.lines).toHaveLength(6001);
});

test('a part is found by a number of steps that depends on the lengths alone', () => {
  const part = `${'a'.repeat(5000)}b${'a'.repeat(5000)}`;
  let steps = 0;
  const whole = new Proxy(new Array<string>(20_000).fill('a'), {
    get(target, key) {
      if (key !== 'length') steps += 1;
      return Reflect.get(target, key);
    },
  });
  expect(findPart(whole, part, 2)).toEqual([]);
  expect(steps).toBeLessThan(5 * 20_000);
  expect(findPart('abababa', 'aba', 9)).toEqual([0, 4]);
});

function hunk(oldStart: number, newStart: number, ...lines: string[]): DifferenceHunk {
  return { oldStart, newStart, lines };
}

test('an edit that nobody compared is told by its own texts, and by none when it has none', () => {
  const input = { changes: [{ old: 'x', new: 'y' }], diff: '@@\n-a\n+b' };
  const replace: Edit = {
    path: 'a',
    kind: 'replace',
    before: { at: '/changes/0/old' },
    after: { at: '/changes/0/new' },
  };
  const move: Edit = { path: 'b', kind: 'move', to: 'c', diff: { at: '/diff' } };
  const removal: Edit = { path: 'd', kind: 'delete' };
  const gone: Edit = { path: 'e', kind: 'write', after: { at: '/nowhere' } };
  expect(editTexts({ edits: [replace, move, removal], input })).toEqual([
    { path: 'a', kind: 'replace', before: 'x', after: 'y' },
    { path: 'b', kind: 'move', to: 'c', patch: input.diff },
    { path: 'd', kind: 'delete' },
  ]);
  expect(editTexts({ edits: [{ path: 'a', kind: 'write', after: { text: 'z' } }] })).toMatchObject([{ after: 'z' }]);
  for (const edits of [[], [removal], [gone]]) expect(editTexts({ edits, input })).toEqual([]);
  expect(editTexts({ input })).toEqual([]);
});
