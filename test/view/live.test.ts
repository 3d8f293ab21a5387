/** A session that goes on: what is told for good is in the end what `show` tells, and only the open end is drawn again. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../src/decode/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { initialState, reduce, type SessionState } from '../../src/session/index.js';
import { growText, TEXT_BEGINNING } from '../../src/view/terminal/growing-text.js';
import {
  conversationRows,
  type KeyHint,
  type LiveOptions,
  liveRows,
  NOTHING_TOLD,
  statusRow,
} from '../../src/view/terminal/index.js';
import { markdownRows } from '../../src/view/terminal/markdown-rows.js';
import { stamped } from './stamped.js';

const look: LiveOptions = { width: 80, color: false, isFull: false, height: 20, now: 0 };

function recorded(agent: string, name: string): AgentEvent[] {
  const decoder = createDecoder(agent, { now: () => 0 });
  return [...decoder.push(readFileSync(`test/recordings/${agent}/${name}/stdout.jsonl`)), ...decoder.end()];
}

/** Everything that was told for good, a picture after each event; and the last open end before it was over. */
function watched(events: readonly AgentEvent[], options: LiveOptions = look) {
  let state = initialState;
  let told = NOTHING_TOLD;
  let open: string[] = [];
  const settled: string[] = [];
  for (const event of events) {
    state = reduce(state, event);
    const rows = liveRows(state, told, options);
    settled.push(...rows.settled);
    ({ told, open } = rows);
    expect(open.length).toBeLessThanOrEqual(options.height);
  }
  const last = liveRows(state, told, { ...options, isOver: true });
  return { state, settled: [...settled, ...last.settled], open, left: last.open };
}

describe('what scrolled away', () => {
  const cases = ['claude', 'codex', 'gemini', 'opencode', 'droid', 'pi'].flatMap((agent) =>
    readdirSync(`test/recordings/${agent}`)
      .filter((name) => /tool|text|todo|edit|deny|subagent-(foreground|nested|parallel)|parallel/.test(name))
      .filter((name) => !/-bg|default/.test(name))
      .slice(0, 4)
      .map((name) => [agent, name] as const),
  );

  test.each(cases)('is the conversation, as show tells it: %s/%s', (agent, name) => {
    const { state, settled, left } = watched(recorded(agent, name));
    expect(settled).toEqual(conversationRows(state, look));
    expect(left).toEqual([]);
  });

  test('a text that is withdrawn stays, and is said to be withdrawn', () => {
    const { settled } = watched(recorded('pi', 'error-stream-cut'));
    expect(settled.join('\n')).toContain('The text above was withdrawn (stream-broken)');
  });

  test('what a sub-agent does in the background says whose it is, where something came between', () => {
    const { settled } = watched(recorded('claude', 'subagent-default-bg'));
    expect(settled).toContain('↳ Agent small job');
  });
});

const tool = (id: string, kind = 'execute', name = 'Bash') =>
  [
    { type: 'tool-start', id, name, kind },
    { type: 'tool-input-end', id, input: {}, summary: `do ${id}` },
  ] as const;
const toolEnd = (id: string) => ({ type: 'tool-end', id, status: 'ok', output: '' }) as const;
const text = (messageId: string, words: string) =>
  [
    { type: 'message-start', messageId, role: 'assistant' },
    { type: 'text-delta', messageId, index: 0, text: words },
  ] as const;

describe('the open end', () => {
  test('a call is one line that resolves in place; a long one shows its last lines and how long it takes', () => {
    const events = stamped([
      { type: 'turn-start' },
      ...tool('a'),
      { type: 'tool-output-delta', id: 'a', text: 'one\ntwo\nthree\nfour\n' },
    ]);
    expect(watched(events).open).toEqual(['⠋ Bash do a']);
    expect(watched(events, { ...look, now: 3200 }).open).toEqual([
      `⠹ Bash do a${' '.repeat(66)}3 s`,
      '  │ two',
      '  │ three',
      '  │ four',
    ]);
    expect(watched([...events, ...stamped([toolEnd('a')], events.length)])).toMatchObject({
      settled: [expect.stringMatching(/^✔ Bash do a/)],
      open: [],
    });
  });

  test('reads fold as long as another may come', () => {
    const folded = expect.stringMatching(/^✔ Read 2 files do a, do b +4 ms$/);
    const events = stamped([...tool('a', 'read', 'Read'), toolEnd('a'), ...tool('b', 'read', 'Read'), toolEnd('b')]);
    expect(watched(events)).toMatchObject({ open: [folded] });
    const more = stamped([...text('m', 'Seen.')], events.length);
    expect(watched([...events, ...more])).toMatchObject({
      settled: [folded, '', '  Seen.'],
      open: ['', '  Seen.▌'],
    });
  });

  test('of a growing text only the block that is open is drawn again', () => {
    const events = stamped(text('m', 'First.\n\n```js\nlet a;\nlet b'));
    const { open } = watched(events);
    expect(open).toEqual(['      let b▌']);
  });

  test('what holds back more than a screen is told as it is, and again when it has ended', () => {
    const events = stamped([
      ...tool('slow'),
      ...Array.from({ length: 30 }, (_, index) => [...tool(`t${index}`), toolEnd(`t${index}`)]).flat(),
    ]);
    const { settled } = watched([...events, ...stamped([toolEnd('slow')], events.length)]);
    expect(settled.filter((row) => row.includes('do slow'))).toEqual([
      '● Bash do slow',
      expect.stringMatching(/^✔ Bash do slow/),
    ]);
    expect(settled.filter((row) => row.includes('do t'))).toHaveLength(30);
  });

  test('what there is to do stands there until it is done', () => {
    const todos = [
      { text: 'look', status: 'done' as const },
      { text: 'change', status: 'active' as const },
      { text: 'test', status: 'pending' as const },
    ];
    const events = stamped([{ type: 'todo-update', todos }]);
    expect(watched(events).open).toEqual(['', '  ☑ look', '  ▸ change', '  ☐ test']);
    expect(watched(events).left).toEqual([]);
  });

  test('who listens hears words instead of marks', () => {
    const { settled } = watched(stamped([...tool('a'), toolEnd('a')]), { ...look, isPlain: true });
    expect(settled).toEqual(['Done: Bash do a, 2 ms']);
  });
});

describe('an answer that streams', () => {
  test('is told as it is told at once', () => {
    const words = 'It **fails**.\n\n- because\n- of you\n\n```js\nlet a;\n\nlet b;\n```\n\nThe end.';
    const pieces = words.match(/.{1,3}/gs) ?? [];
    const events = stamped([
      ...text('m', ''),
      ...pieces.map((piece) => ({ type: 'text-delta', messageId: 'm', index: 0, text: piece }) as const),
      { type: 'text-end', messageId: 'm', index: 0, text: words },
      ...tool('a'),
      toolEnd('a'),
    ]);
    const { state, settled } = watched(events);
    expect(settled).toEqual(conversationRows(state, look));
  });
});

describe('a text that grows', () => {
  const options = { width: 40, color: true };
  const sample = [
    '# Plan\n\nSome **bold** words, `code`, and a long line that has to be wrapped.',
    '- one\n- two\n\n  still two\n\n- three',
    '1. a\n2. b',
    '```js\nif (x) {\n\n  y();\n}\n```',
    '> quoted\n> more',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '~~~\n```\n~~~',
    'The end.',
  ].join('\n\n');

  test('however it comes, its rows are those of the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: sample.length }), { maxLength: 30 }), (cuts) => {
        const rows: string[] = [];
        let place = TEXT_BEGINNING;
        for (const end of [...cuts].sort((a, b) => a - b)) {
          const grown = growText(sample.slice(0, end), false, place, options);
          rows.push(...grown.settled);
          place = grown.place;
        }
        rows.push(...growText(sample, true, place, options).settled);
        expect(rows).toEqual(markdownRows(sample, options));
      }),
      { numRuns: 100 },
    );
  });

  test('without end it does not pile up', () => {
    const { settled, open } = growText('word '.repeat(20_000), false, TEXT_BEGINNING, options);
    expect(settled.length).toBeGreaterThan(2000);
    expect(open.length).toBeLessThan(10);
  });
});

describe('the status line', () => {
  const state = (events: Parameters<typeof stamped>[0]): SessionState => stamped(events).reduce(reduce, initialState);
  const busy = state([
    { type: 'session-start', sessionId: 's', model: 'opus-5' },
    { type: 'turn-start' },
    {
      type: 'rate-limit',
      state: 'allowed',
      windows: [
        { name: 'five_hour', utilization: 0.62 },
        { name: 'seven_day', utilization: 0.31 },
      ],
    },
    { type: 'usage-update', cost: { usd: 0.25, scope: 'run', origin: 'computed' } },
    ...tool('npm-test'),
  ]);
  const line = (width: number, now = 42_000) => statusRow(busy, { width, color: false, now, startedAt: 0 });

  test('says what it does, how long, how much and how far the limits are used', () => {
    expect(line(100)).toBe(' ⠋ Bash: do npm-test · 0:42 · at least $0.2500 · 5 h 62 %, week 31 % · toy · opus-5');
  });

  test('what it does stays on the narrowest', () => {
    expect(line(60)).toBe(' ⠋ Bash: do npm-test · 0:42 · at least $0.2500 · toy');
    expect(line(34)).toBe(' ⠋ Bash: do npm-test');
    for (let width = 30; width <= 250; width += 1) expect(stringWidth(line(width))).toBeLessThanOrEqual(width);
  });

  test.each<[string, Parameters<typeof stamped>[0], number, string]>([
    [
      'a retry says how often and when',
      [{ type: 'turn-start' }, { type: 'retry', attempt: 2, maxAttempts: 10, delayMs: 5000, why: 'rate_limit' }],
      1002,
      'Retrying 2/10: rate_limit, in 4 s',
    ],
    ['a model that takes long', [{ type: 'turn-start' }], 7001, 'Waiting for the model, 7 s'],
  ])('%s', (_, events, now, words) => {
    expect(statusRow(state(events), { width: 100, color: false, now, startedAt: 0 })).toContain(words);
  });

  test('of its keys it says as much as fits; without the one that is the only way on it says less of all else', () => {
    const row = (width: number, hint: KeyHint) =>
      statusRow(busy, { width, color: false, now: 42_000, startedAt: 0, hint });
    const keys = { words: 'Esc interrupts · type to add · ? keys', short: '? keys' };
    expect(row(130, keys)).toMatch(/opus-5 +Esc interrupts · type to add · \? keys$/);
    expect(row(80, keys)).toMatch(/ {2}\? keys$/);
    const aside = { words: 'Tab: a question waits', isNeeded: true };
    expect(row(80, aside)).toMatch(/^ ⠋ Bash: do npm-test · 0:42 · .* {2}Tab: a question waits$/);
    expect(row(40, aside)).toMatch(/^ ⠋ Bash: do.* {2}Tab: a question waits$/);
    for (let width = 34; width <= 250; width += 1) expect(row(width, aside)).toContain(aside.words);
  });

  test('what is over does not turn, though its process has not ended yet', () => {
    const over = state([{ type: 'turn-start' }, { type: 'turn-end', outcome: 'success' }]);
    expect(statusRow(over, { width: 100, color: false, now: 5000, startedAt: 0 })).toMatch(/^ ✔ Done/);
  });

  test('before the first event it says what is started, and for how long', () => {
    const options = { width: 100, color: false, now: 5000, startedAt: 0, starting: 'Starting claude' };
    expect(statusRow(initialState, options)).toBe(' ⠋ Starting claude, 5 s · 0:05');
  });
});
