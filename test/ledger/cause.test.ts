/** What money was spent for: each cause as it is defined, and all of them together are what was spent. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import {
  CAUSE_MEANINGS,
  CAUSES,
  type Cause,
  type CauseShare,
  createCauseShares,
  createRunLedgers,
  USAGE_FIELDS,
} from '../../src/ledger/index.js';
import { type Body, stamped } from '../session/play.js';

type Tokens = Record<string, number>;

const FRESH: Tokens = { inputTokens: 300, outputTokens: 30 };

/** A turn that is charged a dollar for each of its calls. */
function turn(...bodies: Body[]): Body[] {
  const usd = bodies.filter(({ type }) => type === 'message-end').length;
  const cost = { usd, scope: 'turn', origin: 'reported' } as const;
  return [{ type: 'turn-start' }, ...bodies, { type: 'turn-end', outcome: 'success', cost }];
}

let made = 0;

function call(usage: Tokens = FRESH, more: object = {}): Body[] {
  made += 1;
  const messageId = `m${made}`;
  return [
    { type: 'message-start', messageId, model: 'big', ...more },
    { type: 'message-end', messageId, model: 'big', usage, ...more },
  ];
}

function tool(command: string, output: string, status: 'ok' | 'failed' | 'denied' = 'ok', more: object = {}): Body[] {
  made += 1;
  const id = `t${made}`;
  return [
    { type: 'tool-start', id, name: 'Bash', kind: 'execute', ...more },
    { type: 'tool-input-end', id, input: { command }, summary: command, ...more },
    { type: 'tool-end', id, status, output, ...more },
  ];
}

function sharesOf(bodies: readonly Body[]): CauseShare[] {
  const book = createRunLedgers();
  const shares = createCauseShares();
  return stamped(bodies).flatMap((event) => {
    shares.see(event);
    return book.see(event).flatMap((entry) => shares.take(entry));
  });
}

function moneyBy(shares: readonly CauseShare[]): Partial<Record<Cause, number>> {
  const sums: Partial<Record<Cause, number>> = {};
  for (const { cause, usd = 0 } of shares) sums[cause] = Math.round(((sums[cause] ?? 0) + usd) * 1000) / 1000;
  return sums;
}

const edit = { type: 'file-change', path: 'a', kind: 'edit' } as const;
const said = { type: 'user-message', text: 'go on' } as const;

const CASES: Record<string, [bodies: Body[], expected: Partial<Record<Cause, number>>]> = {
  'an answer is for the prompt': [turn(...call()), { prompt: 1 }],
  'a call after a tool reads what that gave back': [
    turn(...call(), ...tool('ls', 'a'), ...call()),
    { prompt: 1, tool: 1 },
  ],
  'tools of one message share the call that reads them, failed and denied ones too': [
    turn(...call(), ...tool('a', '1'), ...tool('b', '2', 'failed'), ...tool('c', '3', 'denied'), ...call(), ...call()),
    { prompt: 1, tool: 0.333, 'failed-tool': 0.333, 'denied-tool': 0.333, agent: 1 },
  ],
  'the same again is repeated, another result is not': [
    turn(...call(), ...tool('ls', 'a'), ...call(), ...tool('ls', 'a'), ...call(), ...tool('ls', 'b'), ...call()),
    { prompt: 1, tool: 2, 'repeated-tool': 1 },
  ],
  'nothing is repeated after an edit, after a word, or where nothing was said': [
    turn(
      ...[...call(), ...tool('ls', 'a'), ...call(), edit, ...tool('ls', 'a'), ...call()],
      ...[said, ...tool('ls', 'a'), ...call(), ...tool('rm', ''), ...call(), ...tool('rm', ''), ...call()],
    ),
    { prompt: 1.5, tool: 4.5 },
  ],
  'what sub-agents do is for sub-agents, whatever it is': [
    turn(
      ...[...call(), ...call(FRESH, { parent: 't' }), ...tool('x', 'no', 'failed', { parent: 't' })],
      ...[...call(FRESH, { parent: 't' }), ...tool('y', 'done'), ...call()],
    ),
    { prompt: 1, 'sub-agent': 2, tool: 1 },
  ],
  'what was in the cache and is paid for again is a broken cache': [
    turn(
      ...call({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 1000 }),
      ...tool('ls', 'a'),
      ...call({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 1250 }),
    ),
    { prompt: 0.889, tool: 0.222, 'broken-cache': 0.889 },
  ],
  'a cache that is read breaks nothing, and after a compaction nothing was there to break': [
    turn(
      ...call({ cacheReadTokens: 0, cacheWriteTokens: 800 }),
      ...[...tool('ls', 'a'), ...call({ inputTokens: 45, cacheReadTokens: 800, cacheWriteTokens: 700 })],
      ...[{ type: 'compaction-start' } as const, ...call({ inputTokens: 850, cacheReadTokens: 1500 })],
      ...[
        { type: 'compaction-end' } as const,
        ...tool('ls', 'b'),
        ...call({ cacheReadTokens: 0, cacheWriteTokens: 800 }),
      ],
    ),
    { prompt: 1, tool: 2, compaction: 1 },
  ],
  'a message that is taken back was tried again': [
    [
      { type: 'turn-start' },
      { type: 'message-start', messageId: 'cut', model: 'big' },
      { type: 'message-retract', messageId: 'cut', why: 'stream-broken' },
      ...call(),
      ...turnEnd(2, { inputTokens: 600, outputTokens: 60 }),
    ],
    { retry: 1, prompt: 1 },
  ],
  'what calls do not tell of their output is shared out by what they wrote': [
    [
      { type: 'turn-start' },
      { type: 'message-start', messageId: 'a', model: 'big' },
      { type: 'text-end', messageId: 'a', index: 0, text: 'x'.repeat(9) },
      { type: 'message-end', messageId: 'a', model: 'big', usage: { inputTokens: 0 } },
      ...tool('ls', 'a'),
      { type: 'message-start', messageId: 'b', model: 'big' },
      { type: 'text-end', messageId: 'b', index: 0, text: 'x'.repeat(29) },
      { type: 'message-end', messageId: 'b', model: 'big', usage: { inputTokens: 0 } },
      ...turnEnd(4, { inputTokens: 0, outputTokens: 400 }),
    ],
    { prompt: 1, tool: 3 },
  ],
  'what is counted beside the calls that are told is for the agent itself': [
    [
      { type: 'turn-start' },
      ...[...call(), ...tool('ls', 'a'), ...call()],
      ...turnEnd(4, { inputTokens: 900, outputTokens: 60 }),
    ],
    { prompt: 1.5, tool: 1.5, agent: 1 },
  ],
  'what was written by calls of which one is not shown is not attributed': [
    [
      { type: 'turn-start' },
      ...[...call({ inputTokens: 300 }), ...tool('ls', 'a'), ...call({ inputTokens: 300 })],
      ...turnEnd(4, { inputTokens: 900, outputTokens: 60 }),
    ],
    { prompt: 1, tool: 1, agent: 1, unattributed: 1 },
  ],
  'where a running sum grows a call has ended': [
    [
      ...[
        { type: 'turn-start' } as const,
        { type: 'message-start', messageId: 'a' } as const,
        { type: 'message-end', messageId: 'a' } as const,
      ],
      ...[...tool('make', 'no', 'failed'), { type: 'usage-update', usage: { inputTokens: 100 } } as const],
      ...[{ type: 'message-start', messageId: 'b' } as const, { type: 'message-end', messageId: 'b' } as const],
      ...[{ type: 'usage-update', usage: { inputTokens: 400 } } as const, ...turnEnd(4, { inputTokens: 400 })],
    ],
    { prompt: 1, 'failed-tool': 3 },
  ],
  'a turn that tells only its sum is for its prompt where nothing else happened': [
    [{ type: 'turn-start' }, ...turnEnd(3, FRESH)],
    { prompt: 3 },
  ],
  'and else it is not attributed': [
    [{ type: 'turn-start' }, ...tool('ls', 'a'), ...turnEnd(3, FRESH)],
    { unattributed: 3 },
  ],
  'a turn that nobody asked for is for the agent itself': [
    [{ type: 'turn-start', origin: 'task-notification' }, ...call(), ...turnEnd(1, FRESH)],
    { agent: 1 },
  ],
};

function turnEnd(usd: number, usage: Tokens): Body[] {
  return [{ type: 'turn-end', outcome: 'success', usage, cost: { usd, scope: 'turn', origin: 'reported' } }];
}

describe('each cause', () => {
  test.each(Object.entries(CASES))('%s', (_, [bodies, expected]) => {
    expect(moneyBy(sharesOf(bodies))).toEqual(expected);
  });

  test('every one is defined and occurs', () => {
    const seen = new Set(Object.values(CASES).flatMap(([bodies]) => sharesOf(bodies).map(({ cause }) => cause)));
    expect([...seen].sort()).toEqual([...CAUSES].sort());
    expect(Object.keys(CAUSE_MEANINGS)).toEqual([...CAUSES]);
  });
});

const tokens = fc.record(
  { inputTokens: fc.nat(99), outputTokens: fc.nat(9), cacheReadTokens: fc.nat(999), cacheWriteTokens: fc.nat(99) },
  { requiredKeys: [] },
);
const parent = fc.option(fc.constant('t'), { nil: undefined });
const id = fc.constantFrom('1', '2', '3');
const models = fc.uniqueArray(
  fc.record(
    { model: fc.constantFrom('big', 'small'), inputTokens: fc.nat(999), usd: fc.nat(9) },
    { requiredKeys: ['model'] },
  ),
  { selector: ({ model }) => model, maxLength: 2 },
);
const step = fc.oneof(
  fc.record({ type: fc.constantFrom('turn-start', 'user-message', 'compaction-start', 'compaction-end'), parent }),
  fc.record({ type: fc.constantFrom('message-start', 'message-retract'), messageId: id, parent }),
  fc.record({
    type: fc.constant('message-end'),
    messageId: id,
    model: fc.constantFrom('big', 'x'),
    usage: tokens,
    parent,
  }),
  fc.record({
    type: fc.constantFrom('tool-start', 'tool-end'),
    id,
    status: fc.constantFrom('ok', 'failed'),
    output: id,
    parent,
  }),
  fc.record({ type: fc.constant('task-start'), id, kind: fc.constant('agent') }),
  fc.record({
    type: fc.constant('turn-end'),
    usage: tokens,
    modelUsage: models,
    cost: fc.record({
      usd: fc.double({ min: 0, max: 99, noNaN: true }),
      scope: fc.constantFrom('turn', 'process'),
      origin: fc.constant('reported'),
    }),
  }),
);

test('whatever happens, the shares of a turn are what it was charged with, to the last token and the last billionth', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (bodies) => {
      const book = createRunLedgers();
      const shares = createCauseShares();
      for (const event of stamped(bodies as unknown as Body[])) {
        shares.see(event);
        for (const entry of book.see(event)) {
          const parts = shares.take(entry);
          const usd = parts.reduce((sum, part) => sum + Math.round((part.usd ?? 0) * 1e9), 0);
          expect(usd).toBe(entry.models.reduce((sum, each) => sum + Math.round((each.usd ?? 0) * 1e9), 0));
          for (const field of USAGE_FIELDS)
            expect(parts.reduce((sum, part) => sum + (part.usage[field] ?? 0), 0)).toBe(entry.usage?.[field] ?? 0);
          expect(parts.every((part) => USAGE_FIELDS.every((field) => (part.usage[field] ?? 0) >= 0))).toBe(true);
        }
      }
    }),
    { numRuns: 1000 },
  );
});

/** A charge that came with the result of the next turn, where the calls are those of the turn before. */
const HELD_BACK = 'claude/v2.1.200-subagent-default';

test('at least 95 % of a session are attributed wherever the agent tells the usage of calls', () => {
  const root = new URL('../recordings/', import.meta.url);
  const found: string[] = [];
  let counted = 0;
  for (const agent of readdirSync(root))
    for (const name of readdirSync(new URL(`${agent}/`, root))) {
      const file = new URL(`${agent}/${name}/events.jsonl`, root);
      if (!existsSync(file)) continue;
      const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      const events = lines.map((line, index) => ({ runId: 'r', seq: index + 1, ...JSON.parse(line) }) as AgentEvent);
      if (!events.some((event) => /^(message-end|usage-update)$/.test(event.type) && 'usage' in event)) continue;
      const shares = sharesOf(events);
      const all = shares.reduce((sum, { usd = 0 }) => sum + usd, 0);
      if (all === 0) continue;
      counted += 1;
      const rest = shares.reduce((sum, { cause, usd = 0 }) => sum + (cause === 'unattributed' ? usd : 0), 0);
      if (rest > all / 20) found.push(`${agent}/${name}`);
    }
  expect(counted).toBeGreaterThan(100);
  expect(found).toEqual([HELD_BACK]);
});
