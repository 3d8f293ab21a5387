/** S3: wire lines to neutral events. */
import { describe, expect, test } from 'vitest';
import { TOOLS } from '../../../src/agent/claude/tools.js';
import {
  assistant,
  init,
  only,
  recording,
  result,
  streamEvent,
  text,
  toolResult,
  toolUse,
  translate,
} from './translate.js';

test('S3-08 S3-09 init opens the session and the turn', () => {
  const events = translate([
    { ...init, claude_code_version: '9.9', mcp_servers: ['a', { name: 'b', status: 'failed' }] },
  ]);
  expect(events[0]).toMatchObject({
    type: 'session-start',
    sessionId: 's1',
    model: 'model-1',
    agentVersion: '9.9',
    mcpServers: [{ name: 'a' }, { name: 'b', status: 'failed' }],
  });
  expect(events[1]).toMatchObject({ type: 'turn-start', turn: 1 });
});

test('S3-04 S3-12 R-09 a result ends the turn; without one the end says that the outcome is unknown', () => {
  expect(translate([init, result()]).at(-1)).toMatchObject({ type: 'turn-end', outcome: 'success' });
  const cut = translate([init, assistant('m', toolUse('t', 'Bash'))]);
  expect(cut.slice(-3)).toMatchObject([
    { type: 'message-end' },
    { type: 'tool-end', id: 't', status: 'unknown' },
    { type: 'turn-end', outcome: 'unknown', source: 'synthetic' },
  ]);
  expect(translate([])).toEqual([]);
});

test('S3-10 an assistant line gives its blocks, and the message ends with stop reason and usage', () => {
  const events = translate(recording('partial-tool'));
  expect(only(events, 'message-end')[0]).toMatchObject({ stopReason: 'tool_use', usage: { outputTokens: 21 } });
});

test('S3-13 S3-14 LL-15 interleaved blocks of a stream are kept apart by index', () => {
  const delta = (index: number, body: Record<string, unknown>) =>
    streamEvent({ type: 'content_block_delta', index, delta: body });
  const start = (index: number, block: Record<string, unknown>) =>
    streamEvent({ type: 'content_block_start', index, content_block: block });
  const events = translate([
    init,
    streamEvent({ type: 'message_start', message: { id: 'm' } }),
    start(0, { type: 'text' }),
    start(1, { type: 'tool_use', id: 't', name: 'Bash', input: {} }),
    start(2, { type: 'thinking' }),
    delta(1, { type: 'input_json_delta', partial_json: '{"command":' }),
    delta(0, { type: 'text_delta', text: 'one ' }),
    delta(2, { type: 'thinking_delta', thinking: 'hm' }),
    delta(0, { type: 'text_delta', text: 'two' }),
    delta(1, { type: 'input_json_delta', partial_json: '"ls"}' }),
    assistant('m', text('one two')),
    assistant('m', toolUse('t', 'Bash', { command: 'ls' })),
    assistant('m', { type: 'thinking', thinking: 'hm' }),
    toolResult('t', 'ok'),
    result(),
  ]);
  expect(only(events, 'text-delta')).toMatchObject([
    { messageId: 'm', index: 0, text: 'one ' },
    { messageId: 'm', index: 0, text: 'two' },
  ]);
  expect(only(events, 'thinking-delta')).toMatchObject([{ messageId: 'm', index: 2, text: 'hm' }]);
  expect(only(events, 'text-end')).toMatchObject([{ index: 0, text: 'one two' }]);
  expect(only(events, 'tool-start')).toHaveLength(1);
  expect(only(events, 'tool-input-delta').map((event) => event.text)).toEqual(['{"command":', '"ls"}']);
  expect(only(events, 'tool-input-end')).toMatchObject([{ id: 't', input: { command: 'ls' } }]);
  expect(only(events, 'thinking-start')).toMatchObject([{ index: 2 }]);
  expect(only(events, 'thinking-end')).toMatchObject([{ index: 2, text: 'hm' }]);
});

test.each([
  ['Read', 'read'],
  ['Write', 'edit'],
  ['Glob', 'search'],
  ['Bash', 'execute'],
  ['WebFetch', 'fetch'],
  ['TodoWrite', 'think'],
  ['SomethingNew', 'other'],
  ['mcp__files__read', 'other'],
])('S3-15 %s is of kind %s', (name, kind) => expect(TOOLS.kind(name)).toBe(kind));

test.each([
  ['mcp__demo__echo', { server: 'demo', tool: 'echo' }],
  ['mcp__demo__deep__name', { server: 'demo', tool: 'deep__name' }],
  ['mcp__broken', undefined],
  ['Read', undefined],
])('S3-16 %s names its server and tool', (name, mcp) => expect(TOOLS.mcp(name)).toEqual(mcp));

test('S3-17 R-19 plan mode and questions are no tool cards', () => {
  const plan = translate(recording('plan-mode-stdio'));
  expect(only(plan, 'tool-start').map((event) => event.name)).toEqual(['Write']);
  expect(only(plan, 'plan-mode').map((event) => event.state)).toEqual(['propose', 'exit']);
  const entering = translate([
    init,
    assistant('m', toolUse('t', 'EnterPlanMode', {})),
    toolResult('t', 'ok'),
    result(),
  ]);
  expect(only(entering, 'tool-start')).toEqual([]);
  expect(only(entering, 'plan-mode').map((event) => event.state)).toEqual(['enter']);
  expect(only(plan, 'approval-request')[0]).toMatchObject({ kind: 'plan', plan: '1. Do it\n2. Done' });
  const question = translate(recording('ask-user-question'));
  expect(only(question, 'tool-start')).toEqual([]);
  expect(only(question, 'approval-request')).toMatchObject([
    { kind: 'question', questions: [{ question: 'Which color?', options: [{ label: 'Red' }, { label: 'Blue' }] }] },
  ]);
});

test.each([
  ['Read', { file_path: '/a/b.ts' }, '/a/b.ts'],
  ['Bash', { command: 'x'.repeat(70) }, `${'x'.repeat(57)}...`],
  ['Bash', { description: 'only words' }, 'only words'],
  ['Grep', { pattern: 'p'.repeat(41) }, `${'p'.repeat(37)}...`],
  ['Agent', { description: 'explore' }, 'explore'],
  ['WebSearch', { query: 'weather' }, 'weather'],
  ['TaskUpdate', { taskId: '2', status: 'in_progress' }, '#2 in progress'],
  ['TaskUpdate', { taskId: '2', subject: 'Test it' }, '#2 Test it'],
  ['Read', { file_path: 7 }, ''],
  ['Unheard', { file_path: 'x' }, ''],
  ['TaskStop', { task_id: 'b1' }, 'b1'],
  ['TaskStop', { shell_id: 'b2' }, 'b2'],
  ['TaskGet', { taskId: '3' }, '3'],
  ['Skill', { command: 'review' }, 'review'],
  ['ToolSearch', { query: 'notebook' }, 'notebook'],
])('S1-22 summary of %s %j', (name, input, summary) => expect(TOOLS.summary(name, input)).toBe(summary));

test('R-21 servers are told by name and status, however the wire spells them', () => {
  const started = (mcp_servers: unknown) => only(translate([{ ...init, mcp_servers }]), 'session-start')[0];
  expect(started(['plain', { name: 'full', status: 'connected' }, { name: 'bare' }, 7, {}])).toMatchObject({
    mcpServers: [{ name: 'plain' }, { name: 'full', status: 'connected' }, { name: 'bare' }],
  });
  expect(started('none')).toMatchObject({ sessionId: 's1', model: 'model-1' });
});

test('S3-19 LL-07 wrong types in single fields reject nothing else', () => {
  const events = translate([
    { ...init, tools: 'all', mcp_servers: { a: 1 }, model: 7, session_id: 's1' },
    { type: 'assistant', message: { id: 9, content: [{ type: 'text', text: 'kept' }], usage: 'much' }, uuid: 'u' },
    { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 3 }, text('also kept')] } },
    { ...result(), usage: [], duration_ms: 'long', permission_denials: 'none', modelUsage: 3, total_cost_usd: '1' },
  ]);
  expect(only(events, 'text-end')).toMatchObject([{ text: 'kept', messageId: 'u' }]);
  expect(only(events, 'user-message')).toMatchObject([{ text: 'also kept' }]);
  expect(only(events, 'turn-end')).toMatchObject([{ outcome: 'success', text: 'done' }]);
});

test('S1-16 S1-17 LL-16 a result names its tool and ends it once; an orphan result is kept', () => {
  const use = assistant('m', toolUse('t', 'Bash'));
  const events = translate([init, use, toolResult('t', 'a'), toolResult('t', 'again'), toolResult('lost', 'b')]);
  expect(only(events, 'tool-end')).toMatchObject([
    { id: 't', name: 'Bash', output: 'a' },
    { id: 'lost', output: 'b' },
  ]);
  expect(only(events, 'tool-end')[1]?.name).toBeUndefined();
});

describe('work', () => {
  test('an edit tells its diff, a write whether it created', () => {
    expect(only(translate(recording('tool-edit')), 'file-change')).toMatchObject([
      { path: '/repo/README.md', kind: 'edit', diff: '@@ -1,3 +1,3 @@\n # demo\n \n-hello\n+goodbye' },
    ]);
    expect(only(translate(recording('tool-write')), 'file-change').map((event) => event.kind)).toEqual([
      'create',
      'edit',
    ]);
  });

  test('U-1.3 todos', () => {
    expect(only(translate(recording('v2.0.77-todo-edit-fail')), 'todo-update')).toMatchObject([
      { todos: [{ text: 'A', status: 'active' }] },
    ]);
  });

  test('a background task outlives its tool and its turn', () => {
    const events = translate(recording('bash-background'));
    const [start] = only(events, 'task-start');
    expect(start).toMatchObject({ kind: 'shell', background: true });
    expect(only(events, 'tool-end')).toMatchObject([{ status: 'ok', taskId: start?.id }]);
    expect(only(events, 'turn-end')[0]?.openTasks).toEqual([start?.id]);
    expect(only(events, 'turn-end')[1]?.openTasks).toBeUndefined();
    expect(only(events, 'task-end')).toMatchObject([{ id: start?.id, status: 'ok' }]);
  });
});

describe('the task list, one entry per call', () => {
  const call = (id: string, name: string, input: Record<string, unknown>, words: string, structured?: unknown) => [
    assistant(`m-${id}`, toolUse(id, name, input)),
    toolResult(id, words, {}, structured === undefined ? {} : { tool_use_result: structured }),
  ];
  const create = (id: string, subject: string) =>
    call(`c${id}`, 'TaskCreate', { subject }, `Task #${id} created successfully: ${subject}`);
  const update = (
    id: string,
    taskId: string,
    change: Record<string, unknown>,
    structured: unknown = { success: true },
  ) => call(id, 'TaskUpdate', { taskId, ...change }, `Updated task #${taskId}`, structured);
  const lists = (...calls: object[][]) =>
    only(translate([init, ...calls.flat()]), 'todo-update').map(({ todos }) =>
      todos.map(({ id, text: words, status }) => `${id} ${words} ${status}`),
    );

  test('U-1.3 grows, changes, and loses what is deleted', () => {
    expect(
      lists(
        create('1', 'Write'),
        create('2', 'Test'),
        update('u1', '1', { status: 'in_progress' }),
        update('u2', '1', { status: 'completed', subject: 'Write it' }),
        update('u3', '2', { status: 'deleted' }),
      ),
    ).toEqual([
      ['1 Write pending'],
      ['1 Write pending', '2 Test pending'],
      ['1 Write active', '2 Test pending'],
      ['1 Write it done', '2 Test pending'],
      ['1 Write it done'],
    ]);
  });

  test('what is unknown or refused changes nothing; a whole list replaces it', () => {
    const tasks = [{ id: '7', subject: 'Old', status: 'in_progress' }];
    expect(
      lists(
        update('u1', '9', { status: 'completed' }),
        call('l', 'TaskList', {}, '#7 [in_progress] Old', { tasks }),
        update('u2', '7', { status: 'completed' }, { success: false }),
      ),
    ).toEqual([['7 Old active']]);
  });
});

test('a task that the list of background tasks names before its start is in the background', () => {
  const system = (subtype: string, more: object) => ({ type: 'system', subtype, session_id: 's1', ...more });
  const events = translate([
    init,
    assistant('m', toolUse('t', 'Workflow')),
    system('background_tasks_changed', { tasks: [{ task_id: 'w', task_type: 'local_workflow' }] }),
    system('task_started', { task_id: 'w', tool_use_id: 't', task_type: 'local_workflow' }),
    toolResult('t', 'launched', {}, { tool_use_result: { status: 'async_launched', taskId: 'w' } }),
    result(),
  ]);
  expect(only(events, 'task-start')).toMatchObject([{ id: 'w', kind: 'workflow', background: true }]);
  expect(only(events, 'tool-end')).toMatchObject([{ taskId: 'w' }]);
  expect(only(events, 'turn-end')).toMatchObject([{ openTasks: ['w'] }]);
});

test('a task that is sent to the background later is told so, once', () => {
  const system = (subtype: string, more: object) => ({ type: 'system', subtype, session_id: 's1', ...more });
  const patch = (change: object) => system('task_updated', { task_id: 'b', patch: change });
  const events = translate([
    init,
    assistant('m', toolUse('t', 'Bash', { command: 'make' })),
    system('task_started', { task_id: 'b', tool_use_id: 't', task_type: 'local_bash' }),
    patch({ is_backgrounded: false }),
    patch({ is_backgrounded: true }),
    patch({ is_backgrounded: true }),
    result(),
  ]);
  expect(only(events, 'task-progress')).toMatchObject([{ id: 'b', toolId: 't', background: true }]);
  expect(only(events, 'turn-end')).toMatchObject([{ openTasks: ['b'] }]);
});

describe('what no tool card shows', () => {
  const ask = (name: string) => ({
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'can_use_tool', tool_name: name, tool_use_id: 't', input: {} },
  });

  test.each([
    ['AskUserQuestion', {}, [], { decision: 'answer', message: 'Blue' }],
    ['ExitPlanMode', { is_error: true }, ['t'], { decision: 'deny', message: 'Blue' }],
    ['ExitPlanMode', { is_error: true }, [], { decision: 'unknown' }],
  ])('%s %j: what was answered is in the resolution, as far as the stream tells', (name, flags, denied, resolution) => {
    const denials = denied.map((id) => ({ tool_name: name, tool_use_id: id }));
    const lines = [init, assistant('m', toolUse('t', name)), ask(name), toolResult('t', 'Blue', flags)];
    const events = translate([...lines, result({ permission_denials: denials })]);
    expect(only(events, 'approval-resolve')).toMatchObject([{ ...resolution, by: 'unknown' }]);
  });

  test('a refusal that only the end of the turn lists is told then', () => {
    const denial = { tool_name: 'mcp__x__y', tool_use_id: 't' };
    const lines = [init, assistant('m', toolUse('t', 'mcp__x__y')), toolResult('t', 'no', { is_error: true })];
    const events = translate([...lines, result({ permission_denials: [denial] })]);
    expect(only(events, 'tool-end')).toMatchObject([{ status: 'failed' }]);
    expect(only(events, 'permission-deny')).toMatchObject([{ toolId: 't', toolName: 'mcp__x__y' }]);
  });

  test('what a server says about a call that was allowed is no refusal', () => {
    const lines = [init, assistant('m', toolUse('t', 'mcp__x__y')), ask('mcp__x__y')];
    const events = translate([...lines, toolResult('t', 'it failed', { is_error: true }), result()]);
    expect(only(events, 'tool-end')).toMatchObject([{ status: 'failed' }]);
    expect(only(events, 'approval-resolve')).toMatchObject([{ decision: 'unknown', by: 'unknown' }]);
  });

  test('a hook that answers in place of everybody is a rule', () => {
    const meta = { id: 't', permission_decision: { decision: 'accept', source: 'hook', reason_type: 'hook' } };
    const lines = [init, assistant('m', toolUse('t', 'Bash')), ask('Bash')];
    const events = translate([...lines, toolResult('t', 'ok', {}, { tool_result_meta: [meta] })]);
    expect(only(events, 'approval-resolve')).toMatchObject([{ decision: 'allow', by: 'rule', rule: 'hook' }]);
  });

  test('a kind of stream event that is new is told by its name', () => {
    const event = { type: 'stream_event', session_id: 's1', parent_tool_use_id: null, event: { type: 'message_news' } };
    expect(only(translate([init, event]), 'unknown')).toMatchObject([
      { wireType: 'stream_event', wireSubtype: 'message_news' },
    ]);
  });

  test('its arguments are not followed: nothing ever started', () => {
    const event = (body: object) => ({ type: 'stream_event', session_id: 's1', parent_tool_use_id: null, event: body });
    const block = { type: 'tool_use', id: 't', name: 'AskUserQuestion', input: {} };
    const events = translate([
      init,
      event({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } }),
      event({ type: 'content_block_start', index: 0, content_block: block }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{}' } }),
    ]);
    expect(only(events, 'tool-input-delta')).toEqual([]);
  });

  test('a plan that nobody could be asked about has failed', () => {
    const failure = 'Error: No such tool available: ExitPlanMode.';
    const events = translate([
      init,
      assistant('m', toolUse('t', 'ExitPlanMode')),
      toolResult('t', failure, { is_error: true }),
    ]);
    expect(only(events, 'status')).toMatchObject([{ code: 'not-asked', text: failure, level: 'warning' }]);
  });
});

test('an elicitation is over when the tool of its server has ended', () => {
  const events = translate([
    init,
    assistant('m', toolUse('t', 'mcp__demo__ask')),
    {
      type: 'control_request',
      request_id: 'r',
      request: { subtype: 'elicitation', mcp_server_name: 'demo', message: 'Name?' },
    },
    toolResult('t', 'Bob'),
  ]);
  expect(events.slice(-5).map(({ type }) => type)).toEqual([
    'approval-request',
    'approval-resolve',
    'tool-end',
    'message-end',
    'turn-end',
  ]);
});

describe('status', () => {
  test.each([
    ['api-retry-529', 'retry', { httpStatus: 529, why: 'overloaded', attempt: 1 }],
    ['rate-limit-warning', 'rate-limit', { state: 'allowed', window: 'five_hour' }],
    [
      'rate-limit-allowed',
      'rate-limit',
      {
        windows: [
          { name: 'five_hour', utilization: 0.12, resetsAt: 1_794_795_448_000, state: 'allowed' },
          { name: 'seven_day', utilization: 0.4, resetsAt: 1_795_188_248_000, state: 'allowed' },
        ],
      },
    ],
    ['partial-thinking', 'usage-update', {}],
    ['git-commit-push', 'status', { code: 'vcs-commit' }],
    ['state-events', 'session-update', { state: 'running' }],
  ] as const)('S3-18 %s has a %s', (name, type, facts) => {
    expect(only(translate(recording(name)), type)[0]).toMatchObject(facts);
  });

  test('S3-18 a failed and a successful compaction each start and end', () => {
    const ends = only(translate(recording('compact-auto')), 'compaction-end');
    expect(ends).toMatchObject([
      { error: 'too_few_groups' },
      { trigger: 'auto', tokensBefore: 99025, tokensAfter: 2598 },
    ]);
    expect(only(translate(recording('v1.0.128-compact')), 'compaction-start')).toHaveLength(1);
  });
});

test('what is said behind a call comes after it, each block with a number of its own', () => {
  const events = translate([
    init,
    assistant('m', text('before')),
    assistant('m', toolUse('t', 'Bash', {})),
    assistant('m', text('behind')),
    toolResult('t', 'ok'),
    result(),
  ]);
  expect(only(events, 'text-end').map(({ index, text: said }) => [index, said])).toEqual([
    [0, 'before'],
    [2, 'behind'],
  ]);
});

test.each([{}, { status: 'a-new-word' }])(
  'a limit of which nobody knows what %j means is not one that allows',
  (info) => {
    const [limit] = only(translate([init, { type: 'rate_limit_event', rate_limit_info: info }]), 'rate-limit');
    expect(limit).toMatchObject({ state: 'unknown' });
  },
);

test('that usage beyond the plan is paid for is told once', () => {
  const limit = (isUsingOverage: boolean) => ({
    type: 'rate_limit_event',
    rate_limit_info: { status: 'allowed', isUsingOverage },
  });
  const events = translate([init, limit(false), limit(true), limit(true), limit(false), limit(true)]);
  expect(only(events, 'rate-limit')).toHaveLength(5);
  expect(only(events, 'status')).toMatchObject([
    { code: 'overage', level: 'warning' },
    { code: 'overage', level: 'warning' },
  ]);
});
