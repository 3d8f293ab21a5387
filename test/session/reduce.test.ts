/** Events to state, case by case: what happened stands on the left, what a view shows on the right. */
import { describe, expect, test } from 'vitest';
import {
  initialState,
  reduce,
  type SessionState,
  selectChangedFiles,
  selectConversation,
  selectRun,
  selectTodos,
  selectUsage,
  values,
} from '../../src/session/index.js';
import { type Body, play, stamped } from './play.js';

const text = (messageId: string, index: number, whole: string, more: Partial<Body> = {}): Body =>
  ({ type: 'text-end', messageId, index, text: whole, ...more }) as Body;
const bash = (id: string, more: Partial<Body> = {}): Body =>
  ({ type: 'tool-start', id, name: 'Bash', kind: 'execute', ...more }) as Body;
const done = (id: string, more: Partial<Body> = {}): Body => ({ type: 'tool-end', id, status: 'ok', ...more }) as Body;

const conversations: Record<string, [events: Body[], lines: string[]]> = {
  'LL-11 one message that comes as several lines is one message': [
    [
      { type: 'message-start', messageId: 'm' },
      text('m', 0, 'first'),
      { type: 'message-start', messageId: 'm' },
      text('m', 1, 'second'),
      { type: 'message-end', messageId: 'm' },
    ],
    ['text first', 'text second'],
  ],
  'LL-12 the whole text replaces its deltas, and later deltas do not come back': [
    [
      { type: 'text-delta', messageId: 'm', index: 0, text: 'Hel' },
      { type: 'text-delta', messageId: 'm', index: 0, text: 'lo' },
      text('m', 0, 'Hello!'),
      { type: 'text-delta', messageId: 'm', index: 0, text: ' again' },
    ],
    ['text Hello!'],
  ],
  'an answer that stands only in the result is told before its turn ends': [
    [{ type: 'turn-start' }, { type: 'turn-end', outcome: 'success', text: 'Yes.' }],
    ['text Yes.', 'turn'],
  ],
  'an answer that was said is not told again, in whatever order results come': [
    [
      { type: 'turn-start' },
      text('m', 0, 'One.'),
      { type: 'turn-start', turn: 2 } as Body,
      text('n', 0, 'Two.', { turn: 2 } as Partial<Body>),
      { type: 'turn-end', outcome: 'success', text: 'One.' },
      { type: 'turn-end', outcome: 'success', text: 'Two.', turn: 2 } as Body,
    ],
    ['text One.', 'text Two.', 'turn', 'turn'],
  ],
  'text grows while its deltas come': [
    [
      { type: 'text-delta', messageId: 'm', index: 0, text: 'Hel' },
      { type: 'text-delta', messageId: 'm', index: 0, text: 'lo' },
    ],
    ['text Hello …'],
  ],
  'a message that ends in the middle of a text keeps it as cut off': [
    [
      { type: 'text-delta', messageId: 'm', index: 0, text: 'Hel' },
      { type: 'message-end', messageId: 'm' },
    ],
    ['text Hel (cut)'],
  ],
  'LL-15 thinking works without text': [
    [
      { type: 'thinking-start', messageId: 'm', index: 0 },
      { type: 'usage-update', thinkingTokens: 50 },
    ],
    ['thinking  …'],
  ],
  'blocks stand in the order of their index, calls after the text before them': [
    [
      { type: 'message-start', messageId: 'm' },
      text('m', 2, 'after'),
      text('m', 0, 'before'),
      bash('a', { messageId: 'm' }),
      text('n', 0, 'look'),
      bash('b', { messageId: 'n' }),
      text('n', 2, 'and on'),
    ],
    ['text before', 'text after', 'tool Bash preparing', 'text look', 'tool Bash preparing', 'text and on'],
  ],
  'a call whose place is told stands there, although the text before it ends later': [
    [
      { type: 'text-delta', messageId: 'm', index: 0, text: 'look' },
      bash('a', { messageId: 'm', index: 1 } as Partial<Body>),
      text('m', 0, 'look'),
      text('m', 2, 'and on'),
    ],
    ['text look', 'tool Bash preparing', 'text and on'],
  ],
  'thinking and text may be counted apart': [
    [
      text('m', 0, 'answer'),
      { type: 'thinking-start', messageId: 'm', index: 0 },
      { type: 'thinking-end', messageId: 'm', index: 0, text: 'hmm' },
    ],
    ['thinking hmm', 'text answer'],
  ],
  'what was retracted is gone, and what is said in its place is there': [
    [
      text('m', 0, 'wrong'),
      { type: 'message-retract', messageId: 'm', why: 'superseded' },
      text('n', 0, 'right'),
      text('n', 1, 'half wrong'),
      { type: 'message-retract', messageId: 'n', index: 1, why: 'refused' },
      { type: 'text-delta', messageId: 'n', index: 1, text: 'half right' },
    ],
    ['text right', 'text half right …'],
  ],
  'the calls of a retracted message stay, because they may have run': [
    [
      text('m', 0, 'wrong'),
      bash('a', { messageId: 'm' }),
      done('a'),
      { type: 'message-retract', messageId: 'm', why: 'stream-broken' },
    ],
    ['tool Bash ok'],
  ],
  'LL-13 a sub-agent speaks below its call, its prompt too': [
    [
      { type: 'user-message', text: 'go' },
      { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' },
      { type: 'user-message', text: 'look around', parent: 'a' },
      bash('b', { parent: 'a' }),
      { type: 'tool-start', id: 'c', name: 'Agent', kind: 'think', parent: 'a' },
      text('m', 0, 'deep', { parent: 'c' }),
      done('a'),
      text('n', 0, 'done'),
    ],
    [
      'user go',
      'tool Agent ok',
      '  user look around',
      '  tool Bash preparing',
      '  tool Agent preparing',
      '    text deep',
      'text done',
    ],
  ],
  'children of parallel sub-agents do not mix': [
    [
      { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' },
      { type: 'tool-start', id: 'b', name: 'Agent', kind: 'think' },
      text('1', 0, 'of b', { parent: 'b' }),
      text('2', 0, 'of a', { parent: 'a' }),
      text('3', 0, 'of b again', { parent: 'b' }),
    ],
    ['tool Agent preparing', '  text of a', 'tool Agent preparing', '  text of b', '  text of b again'],
  ],
  'a sub-agent whose call was never seen has a card without a name': [
    [text('m', 0, 'orphan', { parent: 'a' }), { type: 'tool-start', id: 'a', name: 'Agent', kind: 'think' }],
    ['tool Agent running', '  text orphan'],
  ],
  'LL-16 a result without a start has a card': [
    [done('a', { name: 'Read', output: 'text' } as Partial<Body>)],
    ['tool Read ok'],
  ],
  'a tool ends once': [
    [bash('a'), done('a'), { type: 'tool-end', id: 'a', status: 'failed' }, bash('a')],
    ['tool Bash ok'],
  ],
  'S0-32 a tool from its announcement to its end': [
    [bash('a'), bash('b'), { type: 'tool-input-end', id: 'b', input: {}, summary: 'ls' }, bash('c'), done('c')],
    ['tool Bash preparing', 'tool Bash running ls', 'tool Bash ok'],
  ],
  'what the agent echoes is said once': [
    [
      { type: 'user-message', text: 'go', messageId: 'u' },
      { type: 'user-message', text: 'go', messageId: 'u', replay: true },
    ],
    ['user go'],
  ],
  'a tool that waits says so, on its card; a plan stands for itself': [
    [
      bash('a'),
      { type: 'approval-request', id: '1', kind: 'tool', toolId: 'a', toolName: 'Bash' },
      { type: 'approval-request', id: '2', kind: 'plan', plan: 'do it' },
    ],
    ['tool Bash waiting', 'approval pending'],
  ],
  'a task is shown by the tool that started it, else by itself': [
    [
      bash('a'),
      { type: 'task-start', id: '1', kind: 'shell', toolId: 'a' },
      { type: 'task-start', id: '2', kind: 'monitor' },
      { type: 'task-end', id: '2', status: 'ok' },
      { type: 'task-end', id: '2', status: 'failed' },
    ],
    ['tool Bash preparing', 'task ok'],
  ],
  'quiet lines, faults and a declared loss stand where they happened': [
    [
      { type: 'retry', attempt: 1, why: 'overloaded' },
      { type: 'status', code: 'requesting' },
      { type: 'status', code: 'note', text: 'hello' },
      { type: 'rate-limit', state: 'allowed', window: 'five-hour' },
      { type: 'rate-limit', state: 'warning', window: 'five-hour' },
      { type: 'rate-limit', state: 'warning', window: 'five-hour' },
      { type: 'compaction-start' },
      { type: 'compaction-end', tokensBefore: 9, tokensAfter: 1 },
      { type: 'permission-deny', toolName: 'Bash' },
      { type: 'agent-error', category: 'server', message: 'broken', fatal: false },
      { type: 'decode-error', code: 'json_parse', line: 3, bytes: 9 },
      { type: 'warning', code: 'x', message: 'careful' },
      { type: 'gap', from: 4, to: 9, why: 'slow reader' },
      { type: 'unknown', wireType: 'new', bytes: 1 },
    ],
    [
      'retry',
      'status',
      'rate-limit',
      'compaction-end',
      'permission-deny',
      'agent-error',
      'decode-error',
      'warning',
      'gap',
    ],
  ],
  'a hook stands where it started, a turn and a run where they ended': [
    [
      { type: 'hook-start', id: 'h', name: 'PreToolUse' },
      text('m', 0, 'hello'),
      { type: 'hook-end', id: 'h', name: 'PreToolUse', outcome: 'ok' },
      { type: 'turn-end', outcome: 'success' },
      runEnd('finished'),
    ],
    ['hook', 'text hello', 'turn', 'run'],
  ],
};

describe('S0-33, S0-34 the conversation', () => {
  test.each(Object.entries(conversations))('%s', (_, [events, lines]) => {
    expect(linesOf(play(events))).toEqual(lines);
  });

  test('S0-30 events of hooks and transcripts count like those of the stream', () => {
    const from = (source: 'hook' | 'transcript'): Body[] => [bash('a', { source }), done('a', { source })];
    expect(linesOf(play(from('hook')))).toEqual(linesOf(play(from('transcript'))));
  });
});

describe('a tool card', () => {
  const [, ok, failed] = cards([
    bash('slow'),
    bash('a'),
    { type: 'tool-input-delta', id: 'a', text: '{"command":' },
    { type: 'tool-input-end', id: 'a', input: { command: 'ls' }, summary: 'ls' },
    { type: 'tool-progress', id: 'a', elapsedMs: 30 },
    { type: 'tool-output-delta', id: 'a', text: 'par' },
    { type: 'tool-end', id: 'a', status: 'ok', output: 'whole', exitCode: 0 },
    bash('b'),
    { type: 'tool-output-delta', id: 'b', text: 'cut' },
    { type: 'tool-output-delta', id: 'b', text: ' off' },
    { type: 'tool-end', id: 'b', status: 'unknown', durationMs: 7 },
  ]);

  test('has its input, result and a duration from the difference of times', () => {
    const facts = { input: { command: 'ls' }, summary: 'ls', output: 'whole', exitCode: 0, durationMs: 5000 };
    expect(ok).toMatchObject({ ...facts, status: 'ok' });
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

test('LL-17 usage counts each message once until the result tells more', () => {
  const message = (messageId: string, parent?: string): Body => ({
    type: 'message-end',
    messageId,
    usage: { inputTokens: 10, outputTokens: 1 },
    parent,
  });
  const open = play([{ type: 'turn-start' }, message('a'), message('a'), message('b'), message('c', 'agent')]);
  expect(selectUsage(open)).toMatchObject({
    main: { inputTokens: 20, outputTokens: 2 },
    subAgents: { inputTokens: 10 },
    estimated: true,
  });
  const usage = { inputTokens: 30, outputTokens: 9 };
  const told = play([{ type: 'turn-start' }, message('a'), { type: 'turn-end', outcome: 'success', usage }]);
  expect(selectUsage(told)).toMatchObject({ main: usage, estimated: false });
  const zero = { inputTokens: 0, outputTokens: 0 };
  const cut = play([{ type: 'turn-start' }, message('a'), { type: 'turn-end', outcome: 'interrupted', usage: zero }]);
  expect(selectUsage(cut)).toMatchObject({ main: { inputTokens: 10, outputTokens: 1 } });
  expect(selectUsage(initialState).main).toBeUndefined();
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
  expect(selectUsage(state).main).toEqual({ inputTokens: 30 });
  const resumed = play([{ type: 'session-start', resumed: true }, end(1, 90, 'session'), end(2, 100, 'session')]);
  expect(selectUsage(resumed).main).toEqual({ inputTokens: 10 });
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

function linesOf(state: SessionState): string[] {
  return selectConversation(state).map((row) => '  '.repeat(row.depth) + lineOf(row));
}

function lineOf(row: ReturnType<typeof selectConversation>[number]): string {
  switch (row.kind) {
    case 'text':
    case 'thinking':
      return `${row.kind} ${row.content.text}${row.content.complete ? '' : ' …'}${row.content.partial ? ' (cut)' : ''}`;
    case 'user':
      return `user ${[...values(row.content.blocks)].map((block) => block.text).join('')}`;
    case 'tool':
      return ['tool', row.content.name, row.content.status, row.content.summary].filter(Boolean).join(' ');
    case 'task':
    case 'approval':
      return `${row.kind} ${row.content.status}`;
    case 'event':
      return row.content.type;
    default:
      return row.kind;
  }
}

function cards(events: Body[]) {
  return [...values(play(events).tools.rows)];
}

function runEnd(reason: 'finished' | 'crashed'): Body {
  const open = { tools: [], tasks: [], approvals: [], processes: [] };
  return { type: 'run-end', reason, turns: 1, open, durationMs: 1 };
}
