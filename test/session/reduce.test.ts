/** Events to state: tool cards, tokens, what a run tells about itself, what is counted, and what must not stay. */
import { describe, expect, test } from 'vitest';
import {
  initialState,
  reduce,
  selectChangedFiles,
  selectConversation,
  selectRun,
  selectTodos,
  selectUsage,
  values,
} from '../../src/session/index.js';
import { bash, done, linesOf, runEnd, text } from './bodies.js';
import { type Body, play, stamped } from './play.js';

describe('a tool card', () => {
  const targets = {
    paths: ['a'],
    command: 'ls',
    hosts: ['b.example'],
    edits: [{ path: 'a', kind: 'delete' as const }],
  };
  const [, ok, failed] = cards([
    bash('slow'),
    bash('a'),
    { type: 'tool-input-delta', id: 'a', text: '{"command":' },
    { type: 'tool-input-end', id: 'a', input: { command: 'ls' }, summary: 'ls', ...targets },
    { type: 'tool-progress', id: 'a', elapsedMs: 30 },
    { type: 'tool-output-delta', id: 'a', text: 'par' },
    { type: 'tool-end', id: 'a', status: 'ok', output: 'whole', exitCode: 0 },
    bash('b'),
    { type: 'tool-output-delta', id: 'b', text: 'cut' },
    { type: 'tool-output-delta', id: 'b', text: ' off' },
    { type: 'tool-end', id: 'b', status: 'unknown', durationMs: 7 },
  ]);

  test('has its input, what it touches, its result and a duration from the difference of times', () => {
    const facts = { input: { command: 'ls' }, summary: 'ls', output: 'whole', exitCode: 0, durationMs: 5000 };
    expect(ok).toMatchObject({ ...facts, ...targets, status: 'ok' });
    expect(ok).not.toMatchObject({ progress: expect.anything() });
  });

  test('takes the duration that the agent tells, and keeps what was printed when the end says nothing', () => {
    expect(failed).toMatchObject({ output: 'cut off', durationMs: 7, status: 'unknown' });
  });

  test('keeps the end of a very long running output', () => {
    const piece = 'x'.repeat(100_000);
    const [card] = cards([
      bash('a'),
      ...Array(12).fill({ type: 'tool-output-delta', id: 'a', text: piece }),
      bash('b'),
    ]);
    expect(card).toMatchObject({ outputCut: true });
    expect(card?.output?.length).toBeLessThan(1024 * 1024);
    expect(cards([bash('a'), done('a', { output: 'short' } as Partial<Body>)])[0]).not.toMatchObject({
      outputCut: true,
    });
  });

  test('knows its approval, its task, its denial and the files it changed', () => {
    const [card] = cards([
      bash('a'),
      { type: 'approval-request', id: '1', kind: 'tool', toolId: 'a' },
      { type: 'approval-resolve', id: '1', decision: 'allow', by: 'person' },
      { type: 'task-start', id: 'k', kind: 'shell', toolId: 'a' },
      { type: 'permission-deny', toolName: 'Bash', toolId: 'a', message: 'not that' },
      { type: 'file-change', toolId: 'a', path: 'x', kind: 'edit' },
    ]);
    expect(card).toMatchObject({ approval: 0, task: 0, denial: 'not that', changes: { tail: [0] }, status: 'running' });
  });
});

test('a run plans from the moment it enters or proposes until it leaves', () => {
  const planning = (...states: ('enter' | 'propose' | 'exit')[]) =>
    selectRun(play(states.map((state): Body => ({ type: 'plan-mode', state }))))?.planning;
  expect([planning('enter'), planning('propose'), planning('enter', 'exit')]).toEqual([true, true, false]);
});

test('LL-17 usage counts each message once until the result tells more', () => {
  const message = (messageId: string, parent?: string): Body => ({
    type: 'message-end',
    messageId,
    usage: { inputTokens: 10, outputTokens: 1 },
    parent,
  });
  const open = play([{ type: 'turn-start' }, message('a'), message('a'), message('b'), message('c', 'agent')]);
  expect(selectUsage(open)).toMatchObject({ total: { inputTokens: 30, outputTokens: 3 }, estimated: true });
  const usage = { inputTokens: 30, outputTokens: 9 };
  const told = play([{ type: 'turn-start' }, message('a'), { type: 'turn-end', outcome: 'success', usage }]);
  expect(selectUsage(told)).toMatchObject({ total: usage, estimated: false });
  const zero = { inputTokens: 0, outputTokens: 0 };
  const cut = play([{ type: 'turn-start' }, message('a'), { type: 'turn-end', outcome: 'interrupted', usage: zero }]);
  expect(selectUsage(cut)).toMatchObject({ total: { inputTokens: 10, outputTokens: 1 } });
  expect(selectUsage(initialState).total).toBeUndefined();
});

test('tokens that reach over turns are reduced by those before', () => {
  const end = (number: number, inputTokens: number, usageScope: 'process' | 'session'): Body => ({
    type: 'turn-end',
    turn: number,
    outcome: 'success',
    usage: { inputTokens },
    usageScope,
  });
  const state = play([end(1, 10, 'process'), end(2, 25, 'process'), end(3, 5, 'process')]);
  expect([...values(state.turns.rows)].map(({ usage }) => usage)).toEqual(
    [10, 15, 5].map((inputTokens) => ({ inputTokens })),
  );
  expect(selectUsage(state).total).toEqual({ inputTokens: 30 });
  const resumed = play([{ type: 'session-start', resumed: true }, end(1, 90, 'session'), end(2, 100, 'session')]);
  expect(selectUsage(resumed).total).toEqual({ inputTokens: 10 });
});

test('what the guard shortened is known on the card and the text', () => {
  const cuts = (path: string) => [{ path, bytes: 5_000_000 }];
  const state = play([
    bash('a'),
    { type: 'tool-input-end', id: 'a', input: {}, summary: '', cuts: cuts('/input/content') },
    { type: 'tool-end', id: 'a', status: 'ok', output: 'x', cuts: cuts('/output') },
    text('m', 0, 'long', { cuts: cuts('/text') }),
  ]);
  expect(selectConversation(state)).toMatchObject([
    { content: { cuts: [...cuts('/input/content'), ...cuts('/output')] } },
    { content: { cuts: cuts('/text') } },
  ]);
});

test('a run knows what the agent told about itself, newest values', () => {
  const run = selectRun(
    play([
      { type: 'session-start', model: 'small', cwd: '/repo', tools: ['Bash'], sessionId: 'a' },
      { type: 'session-update', model: 'big', parent: 'child', sessionId: 'child' },
      { type: 'session-update', model: 'large', title: 'Fix it' },
      { type: 'usage-update', contextTokens: 10, contextLimit: 100 },
      { type: 'usage-update', contextTokens: 20 },
    ]),
  );
  expect(run?.facts).toEqual({ model: 'large', cwd: '/repo', tools: ['Bash'], title: 'Fix it' });
  expect(run).toMatchObject({ sessionId: 'a', context: { tokens: 20, limit: 100 } });
});

test('S0-29 counts what could not be shown', () => {
  const state = play([
    { type: 'unknown', wireType: 'new', wireSubtype: 'kind', bytes: 1 },
    { type: 'unknown', wireType: 'new', wireSubtype: 'kind', bytes: 1 },
    { type: 'unknown', wireType: 'new', bytes: 1 },
    { type: 'decode-error', code: 'encoding', line: 1, bytes: 1 },
    { type: 'warning', code: 'x', message: '' },
    { type: 'gap', from: 3, to: 7, why: '' },
  ]);
  expect(selectRun(state)?.counters).toEqual({
    decodeErrors: 1,
    unknown: [
      { wireType: 'new', wireSubtype: 'kind', count: 2 },
      { wireType: 'new', count: 1 },
    ],
    warnings: 1,
    lost: 5,
    malformed: 0,
  });
  const kinds = play(
    Array.from({ length: 100 }, (_, kind): Body => ({ type: 'unknown', wireType: `k${kind}`, bytes: 1 })),
  );
  expect(selectRun(kinds)?.counters.unknown).toHaveLength(65);
  expect(selectRun(kinds)?.counters.unknown.at(-1)).toEqual({ wireType: 'other', count: 36 });
});

test('an event that is none is counted and changes nothing', () => {
  const odd = { toString: 1 } as never;
  const state = play([
    text('m', 0, 'before'),
    { type: 'tool-start', id: odd, name: '', kind: 'read' },
    text('m', 1, 'after'),
  ]);
  expect(linesOf(state)).toEqual(['text before', 'text after']);
  expect(selectRun(state)?.counters.malformed).toBe(1);
  for (const none of [undefined, null, {}, 7]) expect(reduce(state, none as never)).toBe(state);
});

test('R-03 no state keeps the raw line of an event alive', () => {
  const [event] = stamped([{ type: 'retry', attempt: 1 }]);
  if (event) Object.defineProperty(event, 'raw', { value: 'secret', enumerable: false });
  const state = event ? reduce(initialState, event) : initialState;
  const [row] = selectConversation(state);
  expect([row?.content, selectRun(state)?.retry]).toEqual([{ ...event }, { ...event }]);
  expect([row?.content, selectRun(state)?.retry].some((kept) => kept && 'raw' in kept)).toBe(false);
});

test('the newest todos and the changed files', () => {
  const change = (path: string, kind: 'create' | 'edit' | 'delete' | 'move', to?: string): Body => ({
    type: 'file-change',
    path,
    kind,
    to,
  });
  const state = play([
    { type: 'todo-update', todos: [{ text: 'a', status: 'pending' }] },
    { type: 'todo-update', todos: [{ text: 'a', status: 'done' }] },
    { type: 'todo-update', todos: [{ text: 'of the child', status: 'active' }], parent: 'child' },
    change('new', 'create'),
    change('new', 'edit'),
    change('old', 'edit'),
    change('old', 'edit'),
    change('here', 'move', 'there'),
    change('there', 'edit'),
    change('gone', 'delete'),
    change('brief', 'create'),
    change('brief', 'delete'),
    change('back', 'delete'),
    change('back', 'create'),
  ]);
  expect(selectTodos(state)).toEqual([{ text: 'a', status: 'done' }]);
  expect(selectTodos(state, 1)).toEqual([{ text: 'of the child', status: 'active' }]);
  expect(selectChangedFiles(state).map(({ path, kind, changes }) => `${kind} ${path} ${changes.length}`)).toEqual([
    'create new 2',
    'edit old 2',
    'move there 2',
    'delete gone 1',
    'edit back 2',
  ]);
});

test('R-25 ids of several runs in one state stay apart', () => {
  const events = stamped([
    bash('item_0', { runId: 'one' }),
    done('item_0', { runId: 'one' }),
    bash('item_0', { runId: 'two' }),
    text('m', 0, 'of one', { runId: 'one' }),
    text('m', 0, 'of two', { runId: 'two' }),
  ]);
  expect(linesOf(events.reduce(reduce, initialState))).toEqual([
    'tool Bash ok',
    'tool Bash preparing',
    'text of one',
    'text of two',
  ]);
});

test('nothing of a run outlives it', () => {
  const state = play([
    { type: 'turn-start' },
    bash('a'),
    { type: 'task-start', id: 'k', kind: 'shell' },
    { type: 'approval-request', id: '1', kind: 'plan' },
    bash('b', { runId: 'other' }),
    runEnd('crashed'),
  ]);
  const { turns, tools, tasks, approvals, runs } = state;
  expect([turns, tools, tasks, approvals, runs].map(({ open }) => open.count)).toEqual([0, 1, 0, 0, 1]);
  expect([...values(tools.rows)].map(({ status }) => status)).toEqual(['unknown', 'preparing']);
  expect([...values(approvals.rows)][0]).toMatchObject({ status: 'withdrawn', withdrawn: 'exit' });
});

function cards(events: Body[]) {
  return [...values(play(events).tools.rows)];
}

test('each window of the account is known as it was told last', () => {
  const state = play([
    {
      type: 'rate-limit',
      state: 'allowed',
      windows: [
        { name: 'five_hour', utilization: 0.1, resetsAt: 9 },
        { name: 'seven_day', utilization: 0.4 },
      ],
    },
    { type: 'rate-limit', state: 'rejected', windows: [{ name: 'five_hour', utilization: 1, state: 'rejected' }] },
    { type: 'rate-limit', state: 'rejected', window: 'overage', resetsAt: 5 },
  ]);
  const { limits, limit } = selectRun(state) ?? {};
  expect(limits).toEqual([
    { name: 'seven_day', utilization: 0.4 },
    { name: 'five_hour', utilization: 1, state: 'rejected' },
    { name: 'overage', state: 'rejected', resetsAt: 5 },
  ]);
  expect(limit?.window).toBe('overage');
});
