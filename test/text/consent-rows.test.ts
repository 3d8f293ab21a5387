/** A question as rows of a terminal: nothing wider than it, nothing lost, nothing that acts on it. */

import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import type { Consent, Part } from '../../src/consent/index.js';
import { consentRows, partRows } from '../../src/view/text/index.js';
import { wrap } from '../../src/view/text/wrap.js';

const consent = (facts: Partial<Consent> = {}): Consent => ({
  title: 'Run a command',
  facts: [],
  parts: [],
  always: [],
  ...facts,
});
const plain = { width: 60, color: false };

const difference: Part = {
  kind: 'difference',
  path: 'a.ts',
  remarks: ['A newline is added at the end.'],
  added: 1,
  removed: 1,
  rows: [
    { kind: 'same', old: 9, new: 9, text: 'nine' },
    { kind: 'remove', old: 10, text: 'ten' },
    { kind: 'add', new: 10, text: 'TEN' },
    { kind: 'gap', text: '' },
    { kind: 'same', old: 30, new: 30, text: 'thirty' },
  ],
};

describe('a question', () => {
  test('of a command and of a file every letter is seen, also inside what a terminal would obey', () => {
    const text = 'echo \x1b]0;$(rm -rf a)\x07 \x1b[1;rm -rf b';
    const row = { kind: 'add', new: 1, text } as const;
    const { body } = consentRows(
      consent({
        parts: [
          { kind: 'command', text },
          { ...difference, rows: [row] },
        ],
      }),
      plain,
    );
    const shown = 'echo \ufffd]0;$(rm -rf a)\ufffd \ufffd[1;rm -rf b';
    expect(body.filter((line) => line.includes(shown))).toHaveLength(2);
  });

  test('what is asked, and what one should know', () => {
    const facts = [
      { name: 'Outside the project', text: '/etc', isWarning: true },
      { name: 'The agent says', text: 'first\nsecond' },
    ];
    expect(consentRows(consent({ facts }), plain).head).toEqual([
      'Run a command',
      '  Outside the project: /etc',
      '  The agent says: first',
      '  second',
    ]);
    expect(consentRows(consent({ facts }), { ...plain, color: true }).head[1]).toBe(
      '  \x1b[1;31mOutside the project: /etc\x1b[22;39m',
    );
  });

  test('every scope of always by its own key, one alone by a', () => {
    const always = ['x', 'y'].map((text, position) => ({ position, text }));
    expect(consentRows(consent({ always }), plain).always).toEqual(['  a1  always: x', '  a2  always: y']);
    expect(consentRows(consent({ always: always.slice(0, 1) }), plain).always).toEqual(['  a  always: x']);
  });

  test.each<[string, Part, string[]]>([
    ['a command', { kind: 'command', text: 'a\nb\n' }, ['    a', '    b']],
    ['prose', { kind: 'prose', text: '# A' }, ['  # A']],
    ['a short field', { kind: 'field', name: 'all', text: 'true' }, ['    all: true']],
    ['a long field', { kind: 'field', name: 'text', text: 'a\nb' }, ['    text:', '      a', '      b']],
    ['a field without a name', { kind: 'field', name: '', text: 'a' }, ['    a']],
    [
      'a difference',
      difference,
      [
        '  a.ts +1 −1',
        '    A newline is added at the end.',
        '   9   nine',
        '  10 - ten',
        '  10 + TEN',
        '       ⋯',
        '  30   thirty',
      ],
    ],
    [
      'a file that is named and does not change',
      { kind: 'difference', remarks: ['Nothing changes.'], rows: [], added: 0, removed: 0 },
      ['    Nothing changes.'],
    ],
    [
      'a file that moves',
      { kind: 'difference', path: 'a', to: 'b', state: 'moved', remarks: [], rows: [], added: 0, removed: 0 },
      ['  a → b'],
    ],
  ])('%s', (_, part, rows) => {
    expect(partRows([part], plain)).toEqual(rows);
  });

  test('removed and added lines have colours, where there are any', () => {
    const rows = partRows([difference], { ...plain, color: true });
    expect(rows).toContain('\x1b[31m  10 - ten\x1b[39m');
    expect(rows).toContain('\x1b[32m  10 + TEN\x1b[39m');
  });

  test('nothing of an agent acts on the terminal', () => {
    const nasty = 'a\u001b[2Kb\u202ec\u0007d\re';
    const parts: Part[] = [
      { kind: 'command', text: nasty },
      { kind: 'field', name: nasty, text: nasty },
      { ...difference, path: nasty, remarks: [nasty], rows: [{ kind: 'add', new: 1, text: `${nasty}\n+ forged` }] },
    ];
    const { head, always } = consentRows(
      consent({ title: nasty, facts: [{ name: nasty, text: nasty }], always: [{ position: 0, text: nasty }] }),
      plain,
    );
    const all = [...head, ...always, ...partRows(parts, plain)].join('\n');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(all).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    expect(all).not.toMatch(/^\+ forged/m);
  });
});

test.each([
  ['between words', 'until you change the project settings', 24, ['until you change the ', 'project settings']],
  [
    'within a word that is wider than a row',
    'see /very/long/path/of/a/file now',
    12,
    ['see ', '/very/long/p', 'ath/of/a/fil', 'e now'],
  ],
  ['with a space where a row is just full, so that none begins with it', 'abcd efgh ijkl', 9, ['abcd ', 'efgh ijkl']],
  ['between wide characters, which have no spaces', '漢'.repeat(6), 8, ['漢漢漢漢', '漢漢']],
  ['not before what a line is indented with', `    ${'x'.repeat(12)}`, 10, ['    xxxxxx', 'xxxxxx']],
])('a row ends %s', (_, line, width, rows) => {
  expect(wrap(line, width)).toEqual(rows);
});

test('rows are no wider than the terminal, and together they are the line', () => {
  const words = fc.string({ unit: fc.constantFrom('a', ' ', '漢', '👍🏽', 'é', '\t'), maxLength: 200 });
  fc.assert(
    fc.property(words, fc.integer({ min: 8, max: 40 }), (line, width) => {
      const rows = wrap(line, width);
      expect(rows.join('')).toBe(line);
      for (const row of rows) expect(stringWidth(row.replaceAll('\t', ' '.repeat(8)))).toBeLessThanOrEqual(width);
    }),
  );
  expect(wrap('', 40)).toEqual(['']);
});

test('a very long line comes to an end: engines segment a text in time by the square of its length', () => {
  const line = `${'ab_'.repeat(400_000)}${'漢e\u0301'.repeat(30_000)}`;
  expect(wrap(line, 80).join('')).toBe(line);
});
