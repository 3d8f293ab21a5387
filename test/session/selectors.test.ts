/** What views ask about a state as a whole: queue, open work, time, folding, and that nothing changes without a reason. */
import { describe, expect, test } from 'vitest';
import {
  initialState,
  type Row,
  reduce,
  rowKeyOf,
  type SessionState,
  selectConversation,
  selectOpenWork,
  selectPendingApproval,
  selectPendingApprovals,
  selectThreadShares,
  selectThreadWhole,
  selectTimeline,
  type Tool,
  threadName,
  timeSharesOf,
} from '../../src/session/index.js';
import { type Body, play, stamped } from './play.js';

describe('LL-33 the queue of approvals', () => {
  const ask = (id: string, more: Partial<Body> = {}): Body =>
    ({ type: 'approval-request', id, kind: 'tool', ...more }) as Body;
  const resolve = (id: string, decision: 'allow' | 'deny' | 'answer' | 'allow-always'): Body => ({
    type: 'approval-resolve',
    id,
    decision,
    by: 'person',
  });
  const cases: Record<string, [events: Body[], queue: string[]]> = {
    'is empty at first': [[], []],
    'keeps parallel requests, oldest first': [
      [ask('a'), ask('b'), ask('c')],
      ['a', 'b', 'c'],
    ],
    'asks each once': [[ask('a'), ask('a')], ['a']],
    'goes on with the next': [[ask('a'), ask('b'), resolve('a', 'allow')], ['b']],
    'may be answered in any order': [[ask('a'), ask('b'), resolve('b', 'deny')], ['a']],
    'lets go of what the agent takes back': [
      [ask('a'), ask('b'), { type: 'approval-withdraw', id: 'a', why: 'agent' }],
      ['b'],
    ],
    'does not ask again what was answered': [[ask('a'), resolve('a', 'allow'), ask('a')], []],
    'ignores answers to nothing': [[resolve('x', 'allow'), ask('a')], ['a']],
    'tells runs apart': [[ask('a'), ask('a', { runId: 'other' }), resolve('a', 'allow')], ['a']],
  };

  test.each(Object.entries(cases))('%s', (_, [events, queue]) => {
    const state = play(events);
    expect(selectPendingApprovals(state).map(({ id }) => id)).toEqual(queue);
    expect(selectPendingApproval(state)?.id).toBe(queue[0]);
  });

  test.each([
    ['allow', 'allowed'],
    ['allow-always', 'allowed'],
    ['deny', 'denied'],
    ['answer', 'answered'],
  ] as const)('%s is remembered as %s, and a second answer changes nothing', (decision, status) => {
    const rows = selectConversation(play([ask('a'), resolve('a', decision), resolve('a', 'deny')]));
    expect(rows).toMatchObject([{ kind: 'approval', content: { status, resolution: { decision } } }]);
  });
});

test('open work is what has not ended, in the order in which it began', () => {
  const state = play([
    { type: 'turn-start', turn: 1 },
    { type: 'turn-start', turn: 2 },
    { type: 'turn-end', turn: 1, outcome: 'success' },
    { type: 'tool-start', id: 'a', name: 'Bash', kind: 'execute' },
    { type: 'tool-start', id: 'b', name: 'Read', kind: 'read' },
    { type: 'tool-end', id: 'a', status: 'ok' },
    { type: 'task-start', id: 'k', kind: 'shell' },
    { type: 'hook-start', id: 'h', name: 'Stop' },
    { type: 'approval-request', id: '1', kind: 'question' },
  ]);
  expect(selectOpenWork(state)).toMatchObject({
    turns: [{ turn: 2 }],
    tools: [{ id: 'b' }],
    tasks: [{ id: 'k' }],
    approvals: [{ id: '1' }],
    hooks: [{ start: { name: 'Stop' } }],
  });
  expect(Object.values(selectOpenWork(initialState)).flat()).toEqual([]);
});

test('the timeline has turns, models, tools, tasks, waiting, retries and compactions as spans', () => {
  const state = play([
    { type: 'turn-start' },
    { type: 'tool-start', id: 'a', name: 'Bash', kind: 'execute' },
    { type: 'tool-input-end', id: 'a', input: {}, summary: 'ls' },
    { type: 'approval-request', id: '1', kind: 'tool', toolName: 'Bash', toolId: 'a' },
    { type: 'approval-resolve', id: '1', decision: 'allow', by: 'person' },
    { type: 'tool-end', id: 'a', status: 'ok' },
    { type: 'retry', delayMs: 500, why: 'overloaded' },
    { type: 'compaction-start' },
    { type: 'compaction-end' },
    { type: 'task-start', id: 'k', kind: 'shell', description: 'npm start' },
    { type: 'turn-end', outcome: 'success' },
  ]);
  expect(
    selectTimeline(state).map(({ kind, label, startMs, endMs, status }) => [kind, label, startMs, endMs, status]),
  ).toEqual([
    ['turn', 'Turn 1', 1000, 11_000, 'success'],
    ['model', 'Model', 1000, 2000, undefined],
    ['tool', 'Bash: ls', 2000, 6000, 'ok'],
    ['waiting', 'Bash', 4000, 5000, 'allowed'],
    ['model', 'Model', 6000, 7000, undefined],
    ['retry', 'overloaded', 7000, 7500, undefined],
    ['model', 'Model', 7500, 8000, undefined],
    ['compaction', 'Compaction', 8000, 9000, undefined],
    ['model', 'Model', 9000, 11_000, undefined],
    ['task', 'npm start', 10_000, undefined, 'running'],
  ]);
  expect(timeSharesOf(selectTimeline(state), 12_000)).toEqual([
    { kind: 'model', name: '', ms: 4500, count: 4 },
    { kind: 'tool', name: 'Bash', ms: 3000, count: 1 },
    { kind: 'task', name: '', ms: 2000, count: 1 },
    { kind: 'waiting', name: '', ms: 1000, count: 1 },
    { kind: 'compaction', name: '', ms: 1000, count: 1 },
    { kind: 'retry', name: '', ms: 500, count: 1 },
  ]);
});

const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 0 });

/** An agent with a sub-agent that has one of its own, and work that goes on behind it. */
const family: Body[] = [
  { type: 'turn-start' },
  { type: 'message-start', messageId: 'm' },
  { type: 'message-end', messageId: 'm', usage: usage(100) },
  { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' },
  { type: 'tool-input-end', id: 'a', input: {}, summary: 'Look around' },
  { type: 'task-start', id: 'ka', kind: 'agent', toolId: 'a' },
  { type: 'message-start', messageId: 'n', parent: 'a' },
  { type: 'message-end', messageId: 'n', usage: usage(200), parent: 'a' },
  { type: 'tool-start', id: 'b', name: 'Agent', kind: 'think', parent: 'a' },
  { type: 'message-start', messageId: 'o', parent: 'b' },
  { type: 'message-end', messageId: 'o', usage: usage(100), parent: 'b' },
  { type: 'tool-end', id: 'b', status: 'ok' },
  { type: 'task-end', id: 'ka', status: 'ok' },
  { type: 'tool-end', id: 'a', status: 'ok' },
  { type: 'tool-start', id: 'c', name: 'Bash', kind: 'execute' },
  { type: 'task-start', id: 'kc', kind: 'shell', toolId: 'c' },
  { type: 'tool-end', id: 'c', status: 'ok' },
  { type: 'turn-end', outcome: 'success', cost: { usd: 4, scope: 'turn', origin: 'reported' } },
  { type: 'task-end', id: 'kc', status: 'failed' },
];

test('in the timeline everything stands once, a sub-agent below its call, and work behind it as long as it lasts', () => {
  const state = play(family);
  const spans = selectTimeline(state).filter(({ kind }) => kind !== 'turn');
  expect(spans.map(({ kind, label, thread, status }) => [kind, label, thread, status])).toEqual([
    ['model', 'Model', 0, undefined],
    ['tool', 'Agent: Look around', 0, 'ok'],
    ['model', 'Model', 1, undefined],
    ['tool', 'Agent', 1, 'ok'],
    ['model', 'Model', 2, undefined],
    ['model', 'Model', 1, undefined],
    ['model', 'Model', 0, undefined],
    ['task', 'Bash', 0, 'failed'],
  ]);
  expect(spans.at(-1)).toMatchObject({ startMs: 15_000, endMs: 19_000 });
});

test('what each thread spent adds up to what the turn cost, and a sub-agent has what those below it spent', () => {
  const state = play(family);
  expect(selectThreadShares(state)).toMatchObject([
    { thread: 0, usd: 1, usage: usage(100) },
    { thread: 1, parent: 0, usd: 2, usage: usage(200), durationMs: 10_000 },
    { thread: 2, parent: 1, usd: 1, usage: usage(100), durationMs: 3000 },
  ]);
  expect(selectThreadWhole(state, 1)).toMatchObject({ usd: 3, usage: { inputTokens: 300 } });
  expect(selectThreadWhole(state, 9)).toBeUndefined();
  expect([0, 1, 2].map((thread) => threadName(state, thread))).toEqual(['The agent itself', 'Look around', 'Agent']);
  const unpriced = play(family.filter(({ type }) => type !== 'turn-end'));
  expect(selectThreadWhole(unpriced, 1)?.usd).toBeUndefined();
});

describe('rows', () => {
  const nested: Body[] = [
    { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' },
    { type: 'text-end', messageId: 'm', index: 0, text: 'one', parent: 'a' },
    { type: 'text-end', messageId: 'n', index: 0, text: 'two', parent: 'a' },
    { type: 'text-end', messageId: 'o', index: 0, text: 'after' },
  ];

  test('of a sub-agent can be folded away; the call says how many there are', () => {
    const state = play(nested);
    expect(selectConversation(state)).toHaveLength(4);
    const folded = selectConversation(state, { isFolded: ({ name }) => name === 'Agent' });
    expect(folded).toMatchObject([{ kind: 'tool', children: 2, folded: true }, { kind: 'text' }]);
    expect(selectConversation(state, { thread: 1 })).toMatchObject([
      { content: { text: 'one' } },
      { content: { text: 'two' } },
    ]);
  });

  test('stay the same objects unless their content changed', () => {
    const events = stamped([...nested, { type: 'text-delta', messageId: 'p', index: 0, text: 'grows' }]);
    const before = events.reduce(reduce, initialState);
    const [more] = stamped([{ type: 'text-delta', messageId: 'p', index: 0, text: ' on', seq: 99 }]);
    const old = selectConversation(before);
    const now = selectConversation(more ? reduce(before, more) : before);
    expect(now.map((row, index) => row === old[index])).toEqual([true, true, true, true, false]);
    expect(now.map(({ key }) => key)).toEqual(old.map(({ key }) => key));
  });

  test('of a growing session are those of a state that nobody asked before', () => {
    const isShown = ({ kind }: Row) => kind !== 'turn';
    const isFolded = ({ id }: Tool) => id === 'agent 40';
    let state = initialState;
    for (const event of stamped([...manySteps(150)])) {
      state = reduce(state, event);
      const rows = selectConversation(state, { isShown, isFolded });
      if (event.seq % 7 === 0) expect(rows).toEqual(selectConversation(unseen(state), { isShown, isFolded }));
    }
  });

  test('of events are found', () => {
    const bodies: Body[] = [
      { type: 'user-message', text: 'go' },
      { type: 'thinking-end', messageId: 'm', index: 0, text: 'hm' },
      { type: 'text-end', messageId: 'm', index: 1, text: 'well' },
      { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' },
      { type: 'tool-start', id: 'b', name: 'Agent', kind: 'think', parent: 'a' },
      { type: 'tool-input-end', id: 'c', input: {}, summary: '', parent: 'b' },
      { type: 'tool-end', id: 'c', status: 'ok', parent: 'b' },
      { type: 'agent-error', category: 'network', message: 'gone', fatal: false, parent: 'a' },
    ];
    const events = stamped(bodies);
    const state = events.reduce(reduce, initialState);
    const keys = selectConversation(state).map(({ key }) => key);
    const found = events.map((event) => rowKeyOf(state, event));
    expect(found.filter((key) => key !== undefined && keys.includes(key))).toHaveLength(bodies.length);
    expect(new Set(found).size).toBe(bodies.length - 1);
    const [elsewhere, rowless] = stamped([
      { type: 'text-end', messageId: 'm', index: 1, text: '', runId: 'other' },
      { type: 'usage-update' },
    ]);
    for (const event of [elsewhere, rowless]) if (event) expect(rowKeyOf(state, event)).toBeUndefined();
  });

  test('nest as deep as a screen can show, and no chain of sub-agents is too long', () => {
    const chain = Array.from(
      { length: 5000 },
      (_, depth): Body => ({
        type: 'tool-start',
        id: `${depth}`,
        name: 'Agent',
        kind: 'think',
        parent: depth === 0 ? undefined : `${depth - 1}`,
      }),
    );
    const rows = selectConversation(play(chain));
    expect(rows.at(-1)).toMatchObject({ kind: 'tool', folded: true });
    expect(rows.length).toBeLessThan(50);
  });
});

/** Steps that also change what was shown long ago: a first call that ends last, sub-agents that go on speaking. */
function* manySteps(count: number): Generator<Body> {
  yield { type: 'tool-start', id: 'slow', name: 'Bash', kind: 'execute' };
  for (let step = 0; step < count; step += 1) {
    yield { type: 'text-delta', messageId: `m${step}`, index: 0, text: 'half' };
    yield { type: 'text-end', messageId: `m${step}`, index: 0, text: 'whole' };
    yield { type: 'tool-start', id: `t${step}`, name: 'Read', kind: 'read', messageId: `m${step}` };
    if (step % 20 === 0) yield { type: 'tool-start', id: `agent ${step}`, name: 'Agent', kind: 'think' };
    yield { type: 'text-end', messageId: `s${step}`, index: 0, text: 'nested', parent: `agent ${step - (step % 20)}` };
    yield { type: 'turn-end', outcome: 'success', turn: step };
    if (step % 3 === 0) yield { type: 'tool-end', id: `t${Math.floor(step / 2)}`, status: 'ok', output: 'late' };
  }
  yield { type: 'tool-end', id: 'slow', status: 'ok' };
}

function unseen(state: SessionState): SessionState {
  return JSON.parse(JSON.stringify(state)) as SessionState;
}
