/** A session as a person reads it in a terminal: Markdown, deeds, decisions, differences, at any width. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import stripAnsi from 'strip-ansi';
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { initialState, reduce } from '../../src/session/index.js';
import { conversationRows } from '../../src/view/terminal/conversation-rows.js';
import { markdownRows } from '../../src/view/terminal/markdown-rows.js';
import { safe } from '../../src/view/text/index.js';
import { stamped } from '../session/play.js';

const plain = { color: false, width: 44 };

test('runs are separated before the first thing of each, also where that is a text', () => {
  const said = (runId: string, text: string) =>
    stamped([
      { type: 'turn-start', runId },
      { type: 'message-start', messageId: 'm', runId },
      { type: 'text-end', messageId: 'm', index: 0, text, runId },
      { type: 'message-end', messageId: 'm', runId },
      { type: 'turn-end', outcome: 'success', runId },
    ]);
  const state = [...said('r1', 'one'), ...said('r2', 'two')].reduce(reduce, initialState);
  const rows = conversationRows(state, { ...plain, isFull: false }).map((row) => row.trim());
  const rule = rows.findIndex((row) => row.startsWith('── agent'));
  expect(rule).toBeGreaterThan(rows.indexOf('one'));
  expect(rows.indexOf('two')).toBeGreaterThan(rule);
});

describe('Markdown', () => {
  test('is drawn so that it can be read without colour', () => {
    const text = [
      '# The plan',
      'I looked at **all of it**; `duration.js` says *no*, see [the docs](https://x.example/a).',
      '- one\n  - nested `x`\n- [x] two, long enough to be wrapped at this width',
      '1. first\n2. second',
      '```js\nif (x) {\n  y();\n}\n```',
      '> quoted',
      '| file | lines |\n|---|---|\n| a.ts | 12 |',
    ].join('\n\n');
    expect(markdownRows(text, plain)).toEqual([
      'The plan',
      '',
      'I looked at all of it; duration.js says no,',
      'see the docs (https://x.example/a).',
      '',
      '• one',
      '  • nested x',
      '☑ two, long enough to be wrapped at this',
      '  width',
      '',
      '1. first',
      '2. second',
      '',
      '    if (x) {',
      '      y();',
      '    }',
      '',
      '▏ quoted',
      '',
      'file │ lines',
      '─────┼──────',
      'a.ts │ 12',
    ]);
  });

  test('has looks where colours are wanted, and the same letters', () => {
    const [row = ''] = markdownRows('**bold** `code` word', { width: 80, color: true });
    expect(row).toBe('\x1b[1mbold\x1b[22m \x1b[36mcode\x1b[39m word');
  });

  test('a table that does not fit is told row by row', () => {
    const text = '| name | what it is |\n|---|---|\n| alpha | a rather long description of it |\n| beta | short |';
    expect(markdownRows(text, { width: 24, color: false })).toEqual([
      'name: alpha',
      'what it is: a rather',
      'long description of it',
      '',
      'name: beta',
      'what it is: short',
    ]);
  });

  test.each([
    ['nested without end', `${'>'.repeat(4000)} ${'deep '.repeat(10)}`],
    ['a list in a list in a list', Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')],
    ['long without a break', '_a'.repeat(50_000)],
  ])('whatever it is, its letters are there: %s', (_, text) => {
    const rows = markdownRows(text, plain);
    expect(rows.join('').replace(/[^a-z_]/g, '').length).toBeGreaterThan(30);
  });

  test('any text gives rows that fit and cannot command the terminal', () => {
    const hostile = fc.constantFrom(
      '\x1b[2J',
      '\x07',
      '\u202e',
      '```',
      '| a |\n|-|\n',
      '- ',
      '漢字',
      '👩‍👩‍👧',
      '\n',
      ' ',
      '[x](y)',
      '\r',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(hostile, fc.string()), { maxLength: 12 }),
        fc.integer({ min: 20, max: 90 }),
        (parts, width) => {
          const rows = markdownRows(parts.join(''), { width, color: false });
          for (const row of rows) {
            expect(stringWidth(row)).toBeLessThanOrEqual(width);
            expect(safe(row)).toBe(row);
            expect(row).not.toContain('\n');
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

const stateOf = (events: readonly AgentEvent[]) => events.reduce(reduce, initialState);
const recorded = (agent: string, name: string) => {
  const decoder = createDecoder(agent, { now: () => 0 });
  const bytes = readFileSync(`test/recordings/${agent}/${name}/stdout.jsonl`);
  return stateOf([...decoder.push(bytes), ...decoder.end()]);
};

describe('a conversation', () => {
  test('has what was asked, done with its difference, said, and spent', () => {
    expect(
      conversationRows(recorded('pi', 'edit-file'), { width: 60, color: false, isFull: false }),
    ).toMatchInlineSnapshot(`
      [
        "> Do what the stub says",
        "",
        "✔ read README.md                                     3 lines",
        "✔ edit README.md  +1 −1",
        "  │    1   # demo",
        "  │    2   ",
        "  │    3 - hello",
        "  │    3 + HELLO",
        "",
        "  Edited.",
        "",
        "✔ 3.6K in (900 cached) / 135 out tokens · $0.0031",
      ]
    `);
  });

  test('opens what failed, folds what went well, and shows all of it where that is wanted', () => {
    const state = recorded('claude', 'parallel-tools-one-fails');
    expect(conversationRows(state, { width: 60, color: false, isFull: false })).toMatchInlineSnapshot(`
      [
        "✖ Bash exit 7                                         exit 7",
        "  │ Exit code 7",
        "✔ Bash sleep 1; echo second",
        "✔ Read README.md                                     4 lines",
        "",
        "  mixed",
        "",
        "✔ 1.5 s · 6.2K in (6K cached) / 36 out tokens · $0.0029",
      ]
    `);
  });

  test.each([30, 80, 250])('fits %i columns, with and without colour', (width) => {
    for (const name of ['subagent-parallel', 'stdio-allow', 'parallel-tools-one-fails']) {
      const state = recorded('claude', name);
      const rows = conversationRows(state, { width, color: true, isFull: true });
      for (const row of rows) expect(stringWidth(stripAnsi(row))).toBeLessThanOrEqual(width);
      expect(rows.map(stripAnsi)).toEqual(conversationRows(state, { width, color: false, isFull: true }));
    }
  });
});
