/** A turn that was interrupted to hand its session over: the agent's own program ends it, and what was told and used before is not told and counted again. */
import { expect, test } from 'vitest';
import { balanceAfterRuns, isDuring, withoutKnown } from '../../src/archive/known.js';
import type { Cost } from '../../src/event/index.js';
import type { RunRecord } from '../../src/store/index.js';
import { type Body, stamped } from '../session/play.js';

const USED = { inputTokens: 1200, outputTokens: 85 };
const sum = (usd: number): Cost => ({ usd, scope: 'session', origin: 'reported' });

/** Kept from the first to the tenth second. */
const run = {
  runId: 'own',
  state: 'ended',
  outcome: 'cancelled',
  startedAt: 1000,
  updatedAt: 10_000,
  endedAt: 10_000,
  owner: { pid: 1, host: 'here', heartbeatAt: 10_000, epoch: 1 },
  balance: { cost: sum(0.0267) },
} as RunRecord;

const known = { isKnown: isDuring([run]), balanceAt: balanceAfterRuns([run]), findTurns: () => new Map() };

function left(...told: readonly (readonly [at: number, body: object])[]) {
  const events = stamped(told.map(([, body]) => ({ turn: 1, ...body }) as Body));
  return withoutKnown(
    events.map((event, index) => ({ ...event, at: told[index]?.[0] ?? 0 })),
    known,
  );
}

const before = [
  [2000, { type: 'turn-start' }],
  [3000, { type: 'message-start', messageId: 'm1' }],
  [3000, { type: 'tool-start', id: 't1', name: 'Bash', kind: 'execute' }],
] as const;

test('what was begun before ends there; what the program adds is free of it', () => {
  const events = left(
    ...before,
    [11_000, { type: 'message-end', messageId: 'm1', usage: USED }],
    [11_000, { type: 'tool-end', id: 't1', status: 'denied' }],
    [11_000, { type: 'message-start', messageId: 'm2' }],
    [11_000, { type: 'message-end', messageId: 'm2' }],
    [11_000, { type: 'turn-end', outcome: 'success', usage: USED, cost: sum(0.0267) }],
    [13_000, { type: 'turn-start', turn: 2 }],
  );
  expect(events.map(({ seq, type }) => [seq, type])).toEqual([
    [1, 'message-start'],
    [2, 'message-end'],
    [3, 'usage-update'],
    [4, 'turn-end'],
    [5, 'turn-start'],
  ]);
  expect(events[2]).toMatchObject({ balance: { cost: { usd: 0.0267 } } });
  expect(events[3]).not.toHaveProperty('usage');
});

test('what is used after it is counted', () => {
  const events = left(
    ...before,
    [4000, { type: 'message-end', messageId: 'm1', usage: USED }],
    [12_000, { type: 'message-start', messageId: 'm2' }],
    [12_000, { type: 'message-end', messageId: 'm2', usage: { inputTokens: 10, outputTokens: 5 } }],
    [12_000, { type: 'turn-end', outcome: 'success', usage: { inputTokens: 1210, outputTokens: 90 }, cost: sum(0.03) }],
    [13_000, { type: 'turn-start', turn: 2 }],
    [14_000, { type: 'turn-end', turn: 2, outcome: 'success', usage: USED, cost: sum(0.04) }],
  );
  const ends = events.filter(({ type }) => type === 'turn-end');
  expect(ends).toMatchObject([{ usage: { inputTokens: 10, outputTokens: 5 } }, { usage: USED }]);
  expect(events.filter(({ type }) => type === 'usage-update')).toHaveLength(1);
});

test('what comes between a turn that is kept otherwise and the next one is of no turn here, so that nobody counts that turn twice', () => {
  const events = left(
    ...before,
    [5000, { type: 'turn-end', outcome: 'success' }],
    [13_000, { type: 'session-update', permissionMode: 'auto' }],
    [13_000, { type: 'turn-start', turn: 2 }],
  );
  expect(events.map(({ type, turn }) => [type, turn])).toEqual([
    ['usage-update', 0],
    ['session-update', 0],
    ['turn-start', 2],
  ]);
});
