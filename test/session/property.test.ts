/** Any events in any order give a state that holds together, and change no more of it than they concern. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventType } from '../../src/event/index.js';
import {
  entries,
  entryAt,
  initialState,
  reduce,
  type SessionState,
  selectOpenWork,
  type Table,
} from '../../src/session/index.js';
import { askEverything, broken, changedEndings, frozen } from './invariant.js';
import { type Body, isLifecycle, stamped } from './play.js';

const id = fc.constantFrom('a', 'b', 'c', '__proto__');
const text = fc.constantFrom('', 'x', 'hello\nworld');
const cost = fc.record({
  usd: fc.constantFrom(0, 0.5, 1, Number.NaN, -1),
  scope: fc.constantFrom('turn', 'process', 'session'),
  origin: fc.constantFrom('reported', 'computed', 'lower-bound'),
});
const usage = fc.record({ inputTokens: fc.nat(9), outputTokens: fc.nat(9) }, { requiredKeys: [] });
const index = fc.constantFrom(0, 1, 2, 1e9, -1, 0.5);

/** Fields by type; every one may be missing, because a hole in the stream or an old file may have lost it. */
const fields: Record<EventType, Record<string, fc.Arbitrary<unknown>>> = {
  'session-start': { model: text, resumed: fc.boolean(), state: fc.constantFrom('idle', 'running', 'waiting') },
  'session-change': { newId: id, previousId: id, reason: fc.constantFrom('resume', 'fork', 'clear', 'unknown') },
  'session-update': { title: text },
  'turn-start': { origin: text },
  'turn-end': { outcome: fc.constantFrom('success', 'failed', 'unknown'), text, cost, usage },
  'message-start': { messageId: id, model: text },
  'text-delta': { messageId: id, index, text },
  'text-end': { messageId: id, index, text },
  'thinking-start': { messageId: id, index },
  'thinking-delta': { messageId: id, index, text },
  'thinking-end': { messageId: id, index, text },
  'message-end': { messageId: id, usage },
  'message-retract': { messageId: id, index, why: fc.constant('superseded') },
  'user-message': { messageId: id, text },
  'tool-start': { id, name: text, kind: fc.constantFrom('read', 'execute'), messageId: id },
  'tool-input-delta': { id, text },
  'tool-input-end': { id, input: fc.jsonValue(), summary: text },
  'tool-output-delta': { id, text },
  'tool-progress': { id, elapsedMs: fc.nat() },
  'tool-end': { id, status: fc.constantFrom('ok', 'failed'), output: text, taskId: id },
  'file-change': { toolId: id, path: id, kind: fc.constantFrom('create', 'edit', 'delete', 'move'), to: id },
  'todo-update': { todos: fc.constant([{ text: 'x', status: 'pending' }]) },
  'plan-mode': { state: fc.constantFrom('enter', 'propose', 'exit') },
  'task-start': { id, kind: fc.constant('shell'), toolId: id },
  'task-progress': { id, summary: text },
  'task-end': { id, toolId: id, status: fc.constantFrom('ok', 'failed') },
  'approval-request': { id, kind: fc.constantFrom('tool', 'plan'), toolId: id, summary: text },
  'approval-resolve': { id, decision: fc.constantFrom('allow', 'deny', 'answer'), by: fc.constant('person') },
  'approval-withdraw': { id, why: fc.constant('agent') },
  'permission-deny': { toolName: text, toolId: id, message: text },
  status: { code: id, text },
  retry: { attempt: fc.nat(3), httpStatus: fc.constantFrom(429, 500), delayMs: fc.nat() },
  'rate-limit': {
    state: fc.constantFrom('allowed', 'warning', 'rejected'),
    window: id,
    windows: fc.option(fc.array(fc.record({ name: id, utilization: fc.float() })), { nil: undefined }),
  },
  'compaction-start': {},
  'compaction-end': { tokensBefore: fc.nat() },
  'hook-start': { id, name: text },
  'hook-end': { id, name: text, outcome: fc.constant('ok') },
  'usage-update': { usage, cost, contextTokens: fc.nat(), thinkingTokens: fc.nat() },
  'agent-error': { category: fc.constant('server'), message: text, fatal: fc.boolean() },
  'decode-error': { code: fc.constant('json_parse'), line: fc.nat(), bytes: fc.nat() },
  warning: { code: fc.constantFrom('watchdog-silence', 'other'), message: text },
  gap: { from: fc.nat(9), to: fc.nat(9), why: text },
  unknown: { wireType: id, wireSubtype: id, bytes: fc.nat() },
  'run-end': { reason: fc.constantFrom('finished', 'failed', 'crashed'), cost, open: fc.constant({}) },
};

const common = {
  parent: fc.option(id, { nil: undefined, freq: 3 }),
  turn: fc.nat(2),
  runId: fc.constantFrom('run', 'run', 'run', 'other'),
  sessionId: id,
  source: fc.constantFrom('stream', 'synthetic'),
};

const types = [...Object.keys(fields), 'no-such-type', 'constructor'];
const body = fc.constantFrom(...types).chain((type) => {
  const known = Object.hasOwn(fields, type) ? fields[type as EventType] : {};
  return fc.record({ type: fc.constant(type), ...common, ...known }, { requiredKeys: ['type', 'runId'] });
});
const sequence = fc.array(body as fc.Arbitrary<Body>, { maxLength: 60 });

/** A call that failed, and turns out to have been refused. */
const LATE_REFUSAL = [
  { type: 'tool-end', runId: 'run', id: 't', status: 'failed' },
  { type: 'permission-deny', runId: 'run', toolId: 't' },
] as unknown as Body[];

describe('any events in any order', () => {
  test('give a state that holds together and answers every question', () => {
    fc.assert(
      fc.property(sequence, (bodies) => {
        stamped(bodies).reduce((before, event) => {
          const after = frozen(reduce(before, event));
          askEverything(after);
          expect([...broken(after), ...changedEndings(before, after)]).toEqual([]);
          return after;
        }, frozen(initialState));
      }),
      { numRuns: 300, examples: [[LATE_REFUSAL]] },
    );
  });

  test('change at most a few records each, unless a run ends', () => {
    fc.assert(
      fc.property(sequence, (bodies) => {
        stamped(bodies).reduce((before, event) => {
          const after = reduce(before, event);
          const changed = tablesOf(after).map((table, at) => changedRows(tablesOf(before)[at], table));
          if (event.type !== 'run-end') expect(Math.max(...changed), event.type).toBeLessThanOrEqual(2);
          return after;
        }, initialState);
      }),
      { numRuns: 100 },
    );
  });

  test('are played once: what comes again is ignored', () => {
    fc.assert(
      fc.property(sequence, fc.nat(60), fc.nat(60), (bodies, from, length) => {
        const events = stamped(bodies);
        const again = [...events.slice(0, from + length), ...events.slice(from)];
        expect(again.reduce(reduce, initialState)).toEqual(events.reduce(reduce, initialState));
      }),
      { numRuns: 100 },
    );
  });

  test('survive fields of any kind', () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom({ toString: 1 }, { length: 3 }, [[]], null));
    const wild = fc.record({ body, field: fc.string(), value }).map(({ body: whole, field, value: odd }) => {
      const names = Object.keys(whole).filter((name) => name !== 'type');
      return { ...whole, [names[field.length % Math.max(1, names.length)] ?? 'x']: odd };
    });
    fc.assert(
      fc.property(fc.array(wild as fc.Arbitrary<Body>, { maxLength: 30 }), (bodies) => {
        const state = stamped(bodies).reduce(reduce, initialState);
        expect(() => selectOpenWork(state)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});

/** What agents do at the same time, each in its own order. */
const lane = fc.oneof(
  fc
    .record({ id: fc.uuid(), deltas: fc.array(text, { maxLength: 4 }), parent: fc.option(id, { nil: undefined }) })
    .map(({ id: messageId, deltas, parent }): Body[] => [
      { type: 'message-start', messageId, parent },
      { type: 'thinking-start', messageId, index: 0, parent },
      ...deltas.map((delta): Body => ({ type: 'thinking-delta', messageId, index: 0, text: delta, parent })),
      { type: 'thinking-end', messageId, index: 0, text: deltas.join(''), parent },
      ...deltas.map((delta): Body => ({ type: 'text-delta', messageId, index: 1, text: delta, parent })),
      { type: 'text-end', messageId, index: 1, text: deltas.join(''), parent },
      { type: 'tool-start', id: `of ${messageId}`, name: 'Read', kind: 'read', messageId, parent },
      { type: 'message-end', messageId, usage: { outputTokens: deltas.length }, parent },
      { type: 'tool-end', id: `of ${messageId}`, status: 'ok', output: 'read', parent },
    ]),
  fc
    .record({ id: fc.uuid(), deltas: fc.array(text, { maxLength: 4 }) })
    .map(({ id: toolId, deltas }): Body[] => [
      { type: 'tool-start', id: toolId, name: 'Bash', kind: 'execute' },
      ...deltas.map((delta): Body => ({ type: 'tool-input-delta', id: toolId, text: delta })),
      { type: 'tool-input-end', id: toolId, input: deltas.join(''), summary: '' },
      { type: 'tool-progress', id: toolId, elapsedMs: 5 },
      ...deltas.map((delta): Body => ({ type: 'tool-output-delta', id: toolId, text: delta })),
      { type: 'tool-end', id: toolId, status: 'ok', output: deltas.join('') },
    ]),
  fc.uuid().map((taskId): Body[] => [
    { type: 'task-start', id: taskId, kind: 'shell' },
    { type: 'task-progress', id: taskId, summary: 'half' },
    { type: 'task-end', id: taskId, status: 'ok' },
  ]),
);

test('R-07 events that keep the contract give the same state without deltas and progress', () => {
  const lanes = fc.array(lane, { maxLength: 6 });
  fc.assert(
    fc.property(lanes, fc.array(fc.nat(5), { minLength: 100, maxLength: 100 }), (all, choices) => {
      const events = stamped([...merged(all, choices), { type: 'turn-end', outcome: 'success' }]);
      expect(events.filter(isLifecycle).reduce(reduce, initialState)).toEqual(events.reduce(reduce, initialState));
    }),
    { numRuns: 200 },
  );
});

function merged(lanes: readonly Body[][], choices: readonly number[]): Body[] {
  const rest = lanes.map((bodies) => [...bodies]);
  const taken: Body[] = [];
  for (const choice of choices) {
    const open = rest.filter((bodies) => bodies.length > 0);
    const next = open[choice % Math.max(1, open.length)]?.shift();
    if (next) taken.push(next);
  }
  return [...taken, ...rest.flat()];
}

function tablesOf(state: SessionState): Table<unknown>[] {
  const { turns, messages, tools, tasks, approvals, hooks } = state;
  return [turns, messages, tools, tasks, approvals, hooks];
}

function changedRows(before: Table<unknown> | undefined, after: Table<unknown>): number {
  return [...entries(after.rows)].filter(([number, row]) => before && entryAt(before.rows, number) !== row).length;
}
