/** A session as a person reads it in a terminal: Markdown, deeds, decisions, differences, at any width. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import stripAnsi from 'strip-ansi';
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { initialState, reduce } from '../../src/session/index.js';
import { codePieces } from '../../src/view/terminal/code-pieces.js';
import { conversationRows } from '../../src/view/terminal/conversation-rows.js';
import { type Deed, deedLine } from '../../src/view/terminal/deed-line.js';
import { codeRows, markdownRows } from '../../src/view/terminal/markdown-rows.js';
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

  test('columns of a table stand as their author wants', () => {
    const text = '| file | before | after |\n|:-:|---:|---|\n| a | 12 ms | 3 ms |';
    expect(markdownRows(text, plain)).toEqual([
      'file │ before │ after',
      '─────┼────────┼──────',
      ' a   │  12 ms │ 3 ms',
    ]);
  });

  test.each([
    [
      'const x = 1; // why',
      [
        ['const', 'bold'],
        ['// why', 'dim'],
      ],
    ],
    [
      'print("it\\"s") # say',
      [
        ['"it\\"s"', 'accent'],
        ['# say', 'dim'],
      ],
    ],
    ["it's x=#fff http://a 'open", []],
    [
      "return 'a' + `b`",
      [
        ['return', 'bold'],
        ["'a'", 'accent'],
        ['`b`', 'accent'],
      ],
    ],
    [`const ${'x'.repeat(2000)}`, []],
  ] as [string, [string, string][]][])('what matters in the code %j', (line, wanted) => {
    const pieces = codePieces(line);
    expect(pieces.map(({ text }) => text).join('')).toBe(line);
    expect(pieces.flatMap(({ text, looks }) => (looks.length > 0 ? [[text, looks.join()]] : []))).toEqual(wanted);
  });

  test('code has the same letters with and without colour, line by line as it comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab"\'`\\/#* \n'.split('')), maxLength: 60 }), (code) => {
        const [colored, bare] = [true, false].map((color) => codeRows(code, { width: 20, color }));
        expect(colored?.map(stripAnsi)).toEqual(bare);
      }),
    );
  });

  test('on a wide terminal words are no wider than eyes go, code is', () => {
    const rows = markdownRows(`${'word '.repeat(60)}\n\n\`\`\`\n${'x'.repeat(180)}\n\`\`\``, {
      width: 200,
      color: false,
    });
    expect(Math.max(...rows.filter((row) => row.startsWith('word')).map((row) => row.length))).toBeLessThanOrEqual(120);
    expect(rows.at(-1)).toBe(`    ${'x'.repeat(180)}`);
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

describe('a deed', () => {
  const read: Deed = {
    ...{ mark: '✔', look: 'good', word: 'Done', called: 'Read', about: 'src/duration.js' },
    facts: [
      { text: '7 lines', leaves: 0 },
      { text: '0.3 s', leaves: 1 },
    ],
  };
  const edit: Deed = { ...read, called: 'Edit', sums: { added: 3, removed: 2 }, facts: [{ text: 'exit 1' }] };
  const line = (deed: Deed, width: number, more = {}) => deedLine(deed, { width, color: false, ...more });

  test('says what it is about before how much and how long', () => {
    expect(line(read, 40)).toBe('✔ Read src/duration.js   7 lines · 0.3 s');
    expect(line(read, 30)).toBe('✔ Read src/duration.js   0.3 s');
    expect(line(read, 24)).toBe('✔ Read src/duration.js');
    expect(line(edit, 40)).toBe('✔ Edit src/duration.js  +3 −2     exit 1');
    expect(line(edit, 34)).toBe('✔ Edit src/duratio…  +3 −2  exit 1');
  });

  test('its end stands where eyes find it, also below another, and farther only where it must', () => {
    expect(line(read, 200)).toHaveLength(120);
    expect(line(read, 198, { indent: 2 })).toHaveLength(118);
    const about = 'x'.repeat(150);
    expect(line({ ...read, about }, 200)).toBe(`✔ Read ${about}  7 lines · 0.3 s`);
  });

  test('is loud while it lives, and quieter than what is said when it is over', () => {
    const painted = (deed: Deed) => deedLine({ ...deed, facts: [] }, { width: 60, color: true });
    expect(painted({ ...read, isAlive: true })).toBe('\x1b[32m✔\x1b[39m \x1b[1mRead\x1b[22m src/duration.js');
    expect(painted(edit)).toBe(
      '\x1b[32m✔\x1b[39m Edit \x1b[2msrc/duration.js\x1b[22m  \x1b[32m+3\x1b[39m \x1b[31m−2\x1b[39m',
    );
  });

  test('fits every width', () => {
    for (let width = 20; width <= 250; width += 1)
      for (const deed of [read, edit]) expect(stringWidth(line(deed, width))).toBeLessThanOrEqual(width);
  });
});

test('a warning that begins with the id of a session leaves it as people type it', () => {
  const events = stamped([{ type: 'warning', code: 'shared-folder', message: 'qzzsfn works in this folder too.' }]);
  const rows = conversationRows(events.reduce(reduce, initialState), { ...plain, isFull: false });
  expect(rows).toContain('qzzsfn works in this folder too.');
});

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

test('what a person changed before allowing it stands below the call', () => {
  const input = { command: 'rm -rf build', description: 'cleans up' };
  const changes = { set: { '/command': 'rm -rf build/cache' } };
  const state = stamped([
    { type: 'turn-start' },
    { type: 'tool-start', id: 't', name: 'Bash', kind: 'execute' },
    { type: 'tool-input-end', id: 't', input, summary: 'rm -rf build' },
    { type: 'approval-request', id: 'q', kind: 'tool', toolId: 't', toolName: 'Bash', input },
    { type: 'approval-resolve', id: 'q', decision: 'allow', by: 'person', who: 'ada', changes },
    { type: 'tool-end', id: 't', status: 'ok', output: '' },
  ]).reduce(reduce, initialState);
  expect(conversationRows(state, { ...plain, isFull: false })).toEqual([
    '✔ Bash rm -rf build',
    '    Allowed with changes by ada · command:',
    '    rm -rf build/cache',
  ]);
});

test('for who listens, what an agent tells another is a task, and what the person said is theirs', () => {
  const told = (text: string, parent?: string) => ({ type: 'user-message' as const, text, ...(parent && { parent }) });
  const state = stamped([
    told('Fix it'),
    { type: 'turn-start' },
    { type: 'tool-start', id: 't', name: 'Agent', kind: 'think' },
    told('Look around', 't'),
  ]).reduce(reduce, initialState);
  const rows = conversationRows(state, { ...plain, isFull: false, isPlain: true });
  expect(rows.filter((row) => /: (Fix|Look)/.test(row))).toEqual(['You: Fix it', '  Task: Look around']);
});
