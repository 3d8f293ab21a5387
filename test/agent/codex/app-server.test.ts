import { describe, expect, test } from 'vitest';
import { codex } from '../../../src/agent/codex/index.js';
import type { Action, CommandRequest } from '../../../src/agent/index.js';
import type { Draft } from '../../../src/event/index.js';
import { converse, ofType, requestFor } from '../drive.js';

type Message = Record<string, unknown>;

const thread = { id: 't-1', cwd: '/repo', cliVersion: '0.166.0' };
const opened = { thread, model: 'gpt-5.5', approvalPolicy: 'on-request' };
const notice = (method: string, params: object = {}) => ({ method, params: { threadId: 't-1', ...params } });
const turnStarted = notice('turn/started', { turn: { id: 'turn-1' } });
const turnCompleted = (turn: object = { status: 'completed', error: null }) => notice('turn/completed', { turn });
const started = (item: object) => notice('item/started', { item });
const completed = (item: object) => notice('item/completed', { item });
const ask = (method: string, params: object, id: unknown = 0) => ({
  id,
  method,
  params: { threadId: 't-1', ...params },
});

/** A conversation up to its first turn. */
function begin(request: Partial<CommandRequest> = {}) {
  const talk = converse(codex, requestFor({ mode: 'conversation', permission: 'ask', prompt: 'go', ...request }));
  talk.start();
  talk.hear({ id: 1, result: { codexHome: '/home/u/.codex' } });
  return talk;
}

function inTurn(request?: Partial<CommandRequest>) {
  const talk = begin(request);
  talk.hear({ id: 2, result: opened });
  talk.hear({ id: 3, result: { turn: { id: 'turn-1' } } });
  talk.hear(turnStarted);
  talk.sent.length = 0;
  return talk;
}

const by = { by: 'person' } as const;

describe('opening', () => {
  test.each<[string, Partial<CommandRequest>, string, object]>([
    ['a new thread', {}, 'thread/start', { cwd: '/repo', sandbox: 'workspace-write', approvalPolicy: 'untrusted' }],
    [
      'edits allowed',
      { permission: 'accept-edits' },
      'thread/start',
      { sandbox: 'workspace-write', approvalPolicy: 'on-request' },
    ],
    ['nobody to ask', { permission: 'deny' }, 'thread/start', { sandbox: 'read-only', approvalPolicy: 'never' }],
    ['bypass', { permission: 'bypass' }, 'thread/start', { sandbox: 'danger-full-access', approvalPolicy: 'never' }],
    ['resume', { resume: 't-0' }, 'thread/resume', { threadId: 't-0', excludeTurns: true }],
    ['fork', { resume: 't-0', fork: true }, 'thread/fork', { threadId: 't-0' }],
    ['latest', { resume: 'latest' }, 'thread/list', { limit: 1, cwd: '/repo' }],
    [
      'directories',
      { addDirs: ['/a'] },
      'thread/start',
      { config: { sandbox_workspace_write: { writable_roots: ['/a'] } } },
    ],
    ['system prompt', { systemPrompt: 'Brief.' }, 'thread/start', { developerInstructions: 'Brief.' }],
  ])('%s', (_, request, method, params) => {
    const { sent } = begin(request);
    expect(sent.map((message) => message.method)).toEqual(['initialize', 'initialized', method]);
    expect(sent[2]).toMatchObject({ id: 2, params });
  });

  test('the latest thread is resumed by its id, and when there is none a new one is started aloud', () => {
    const some = begin({ resume: 'latest' });
    some.hear({ id: 2, result: { data: [{ id: 't-9' }] } });
    expect(some.sent.at(-1)).toMatchObject({ method: 'thread/resume', params: { threadId: 't-9' } });
    const none = begin({ resume: 'latest' });
    none.hear({ id: 2, result: { data: [] } });
    expect(none.sent.at(-1)).toMatchObject({ method: 'thread/start' });
    expect(ofType(none.events, 'warning')).toMatchObject([{ code: 'session-not-resumed' }]);
  });

  test('a thread that cannot be opened ends the conversation with what was said', () => {
    const talk = begin({ resume: 'nonsense' });
    talk.hear({ id: 2, error: { code: -32600, message: 'no rollout found' } });
    expect(ofType(talk.events, 'turn-end')).toMatchObject([
      { outcome: 'failed', error: { message: 'no rollout found' } },
    ]);
    expect(talk.protocol.idle()).toBe(true);
  });

  test('nothing is idle before the prompt was worked on', () => {
    const talk = begin();
    expect(talk.protocol.idle()).toBe(false);
    talk.hear({ id: 2, result: opened });
    expect(talk.protocol.idle()).toBe(false);
    talk.hear(turnStarted);
    talk.hear(turnCompleted());
    expect(talk.protocol.idle()).toBe(true);
  });
});

describe('saying more', () => {
  const input = (text: string) => [{ type: 'text', text, text_elements: [] }];

  test('steers a running turn', () => {
    const talk = inTurn();
    talk.act({ type: 'say', text: 'also' });
    expect(talk.sent).toMatchObject([
      { method: 'turn/steer', params: { threadId: 't-1', expectedTurnId: 'turn-1', input: input('also') } },
    ]);
  });

  test('starts a turn when none runs, with what was chosen since', () => {
    const talk = inTurn();
    talk.hear(turnCompleted());
    talk.act({ type: 'set-model', model: 'gpt-5.4' });
    talk.act({ type: 'set-permission', mode: 'accept-edits' });
    talk.act({ type: 'say', text: 'more' });
    expect(talk.sent).toMatchObject([
      {
        method: 'turn/start',
        params: {
          input: input('more'),
          model: 'gpt-5.4',
          sandboxPolicy: { type: 'workspaceWrite' },
          approvalPolicy: 'on-request',
        },
      },
    ]);
  });

  test('a steer that came too late becomes a turn of its own', () => {
    const talk = inTurn();
    talk.act({ type: 'say', text: 'late' });
    talk.hear(turnCompleted());
    talk.hear({ id: 4, error: { message: 'no active turn to steer' } });
    expect(talk.sent.at(-1)).toMatchObject({ method: 'turn/start', params: { input: input('late') } });
    expect(ofType(talk.events, 'agent-error')).toEqual([]);
  });

  test('waits until there is a turn to steer', () => {
    const talk = begin();
    talk.act({ type: 'say', text: 'second' });
    talk.hear({ id: 2, result: opened });
    expect(talk.sent.map((message) => message.method)).toEqual([
      'initialize',
      'initialized',
      'thread/start',
      'turn/start',
    ]);
    talk.hear(turnStarted);
    expect(talk.sent.at(-1)).toMatchObject({ method: 'turn/steer', params: { input: input('second') } });
  });

  test('interrupts the turn that runs, and nothing when none does', () => {
    const talk = inTurn();
    talk.act({ type: 'interrupt' });
    expect(talk.sent).toMatchObject([{ method: 'turn/interrupt', params: { threadId: 't-1', turnId: 'turn-1' } }]);
    talk.hear(turnCompleted({ status: 'interrupted' }));
    talk.act({ type: 'interrupt' });
    expect(talk.sent).toHaveLength(1);
  });

  test('a mode that Codex does not have is unsupported', () => {
    expect(inTurn().protocol.act({ type: 'set-permission', mode: 'yolo' })).toBe('unsupported');
  });
});

describe('questions', () => {
  const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch'] } };
  const command = {
    itemId: 'c',
    command: `/bin/bash -lc 'touch x'`,
    availableDecisions: ['accept', amendment, 'cancel'],
  };
  const persist = { codex_approval_kind: 'mcp_tool_call', persist: ['session', 'always'], tool_params: { a: 1 } };
  const question = { id: 'q1', question: 'Which?', header: 'H', options: [{ label: 'A', description: 'a' }] };
  const yes: Action = { type: 'approve', id: '0', ...by };
  const always: Action = { type: 'approve', id: '0', remember: true, ...by };
  const no: Action = { type: 'deny', id: '0', message: 'no', ...by };
  const stop: Action = { type: 'deny', id: '0', message: 'no', interrupt: true, ...by };
  const answer = (answers: Record<string, unknown>): Action => ({ type: 'answer', id: '0', answers, ...by });

  test.each<[string, string, object, Action, object]>([
    ['a command', 'item/commandExecution/requestApproval', command, yes, { decision: 'accept' }],
    ['a command for ever', 'item/commandExecution/requestApproval', command, always, { decision: amendment }],
    ['a command, no', 'item/commandExecution/requestApproval', command, no, { decision: 'decline' }],
    ['a command, no and stop', 'item/commandExecution/requestApproval', command, stop, { decision: 'cancel' }],
    [
      'a patch for the session',
      'item/fileChange/requestApproval',
      { itemId: 'f' },
      always,
      { decision: 'acceptForSession' },
    ],
    [
      'an MCP tool',
      'mcpServer/elicitation/request',
      { serverName: 's', _meta: persist },
      yes,
      { action: 'accept', content: {}, _meta: null },
    ],
    [
      'an MCP tool for ever',
      'mcpServer/elicitation/request',
      { serverName: 's', _meta: persist },
      always,
      { action: 'accept', content: {}, _meta: { persist: 'session' } },
    ],
    [
      'an MCP tool, no',
      'mcpServer/elicitation/request',
      { serverName: 's', _meta: persist },
      no,
      { action: 'decline', content: null, _meta: null },
    ],
    [
      'a form',
      'mcpServer/elicitation/request',
      { message: 'Name?' },
      answer({ name: 'x' }),
      { action: 'accept', content: { name: 'x' }, _meta: null },
    ],
    [
      'a question by its text',
      'item/tool/requestUserInput',
      { questions: [question] },
      answer({ 'Which?': 'A' }),
      { answers: { q1: { answers: ['A'] } } },
    ],
    ['a question left open', 'item/tool/requestUserInput', { questions: [question] }, no, { answers: {} }],
    [
      'permissions',
      'item/permissions/requestApproval',
      { permissions: { network: { enabled: true }, fileSystem: null } },
      yes,
      { permissions: { network: { enabled: true } }, scope: 'turn' },
    ],
    [
      'permissions, no',
      'item/permissions/requestApproval',
      { permissions: { network: { enabled: true } } },
      no,
      { permissions: {}, scope: 'turn' },
    ],
  ])('%s', (_, method, params, action, result) => {
    const talk = inTurn();
    // The first id of the server is 0, which is false in a careless reader.
    talk.hear(ask(method, params));
    expect(ofType(talk.events, 'approval-request')).toHaveLength(1);
    talk.act(action);
    expect(talk.sent).toEqual([{ id: 0, result }]);
    expect(ofType(talk.events, 'approval-resolve')).toMatchObject([{ id: '0', by: 'person' }]);
  });

  test('a command is asked about in the words of the model', () => {
    const talk = inTurn();
    talk.hear(ask('item/commandExecution/requestApproval', { ...command, reason: 'May I?' }));
    expect(ofType(talk.events, 'approval-request')).toMatchObject([
      {
        id: '0',
        kind: 'tool',
        toolId: 'c',
        toolName: 'Bash',
        toolKind: 'execute',
        summary: 'touch x',
        reason: 'May I?',
        suggestions: [amendment],
      },
    ]);
  });

  test('a patch is shown with the changes that were announced before', () => {
    const changes = [{ path: '/repo/a', kind: { type: 'add' }, diff: 'x\n' }];
    const talk = inTurn();
    talk.hear(started({ type: 'fileChange', id: 'f', changes }));
    talk.hear(ask('item/fileChange/requestApproval', { itemId: 'f' }));
    expect(ofType(talk.events, 'approval-request')).toMatchObject([
      { input: { changes }, summary: '/repo/a', toolName: 'Edit' },
    ]);
  });

  test('an MCP tool is asked about by the call that waits', () => {
    const talk = inTurn();
    talk.hear(started({ type: 'mcpToolCall', id: 'm', server: 's', tool: 'write' }));
    talk.hear(ask('mcpServer/elicitation/request', { serverName: 's', _meta: persist }));
    expect(ofType(talk.events, 'approval-request')).toMatchObject([
      { toolId: 'm', toolName: 'mcp__s__write', input: { a: 1 } },
    ]);
  });

  test('a question that the server settles itself is withdrawn', () => {
    const talk = inTurn();
    talk.hear(ask('item/commandExecution/requestApproval', command));
    talk.hear(notice('serverRequest/resolved', { requestId: 0 }));
    expect(ofType(talk.events, 'approval-withdraw')).toMatchObject([{ id: '0', why: 'agent' }]);
    talk.act(yes);
    expect(talk.sent).toEqual([]);
  });

  test.each([
    ['completed', 'allow'],
    ['declined', 'deny'],
  ])('in a recording the end of the call tells what the host answered: %s, %s', (status, decision) => {
    const protocol = codex.createProtocol();
    const events = [
      { id: 1, result: opened },
      turnStarted,
      started({ type: 'commandExecution', id: 'c', command: 'x' }),
      ask('item/commandExecution/requestApproval', { ...command, itemId: 'c' }),
      notice('serverRequest/resolved', { requestId: 0 }),
      completed({ type: 'commandExecution', id: 'c', command: 'x', status }),
      ask('item/tool/requestUserInput', { questions: [{ id: 'q', question: 'Which?' }] }, 1),
      notice('serverRequest/resolved', { requestId: 1 }),
    ].flatMap((value) => protocol.receive(value, 1).events);
    expect(ofType(events, 'approval-resolve')).toMatchObject([
      { id: '0', decision },
      { id: '1', decision: 'answer' },
    ]);
    expect(ofType(events, 'approval-withdraw')).toEqual([]);
  });

  test('a request that is no question to a person is refused, so that the turn goes on', () => {
    const talk = inTurn();
    talk.hear(ask('item/tool/call', {}, 'abc'));
    expect(talk.sent).toMatchObject([{ id: 'abc', error: { code: -32601 } }]);
    expect(ofType(talk.events, 'unknown')).toMatchObject([{ wireType: 'item/tool/call' }]);
  });
});

test('read from its middle, the first thread that speaks is the main one', () => {
  const protocol = codex.createProtocol();
  const child = { threadId: 'child' };
  const drafts = [
    notice('thread/status/changed', { status: { type: 'active', activeFlags: [] } }),
    started({ type: 'commandExecution', id: 'c', command: 'x' }),
    { method: 'turn/completed', params: { ...child, turn: { status: 'completed' } } },
    completed({ type: 'commandExecution', id: 'c', command: 'x', status: 'completed' }),
    turnCompleted(),
  ].flatMap((value) => protocol.receive(value, 1).events);
  expect(ofType(drafts, 'tool-end')).toMatchObject([{ id: 'c', status: 'ok' }]);
  expect(ofType(drafts, 'turn-end')).toHaveLength(1);
});

describe('what it prints', () => {
  const read = (...values: Message[]): Draft[] => {
    const talk = inTurn();
    for (const value of values) talk.hear(value);
    talk.end();
    return talk.events;
  };
  const usage = (total: number, last: object) =>
    notice('thread/tokenUsage/updated', { tokenUsage: { total: { totalTokens: total }, last } });

  test('the whole output is trusted, because early deltas get lost', () => {
    const command = { type: 'commandExecution', id: 'c', command: 'x' };
    const drafts = read(
      started({ ...command, status: 'inProgress' }),
      notice('item/commandExecution/outputDelta', { itemId: 'c', delta: 'tick 2\n' }),
      completed({ ...command, status: 'completed', aggregatedOutput: 'tick 1\ntick 2\n', exitCode: 0, durationMs: 5 }),
      turnCompleted(),
    );
    expect(ofType(drafts, 'tool-output-delta')).toMatchObject([{ text: 'tick 2\n' }]);
    expect(ofType(drafts, 'tool-end')).toMatchObject([{ output: 'tick 1\ntick 2\n', durationMs: 5, status: 'ok' }]);
  });

  test('an interrupted command never completes and is cancelled', () => {
    const drafts = read(
      started({ type: 'commandExecution', id: 'c', command: 'x' }),
      turnCompleted({ status: 'interrupted' }),
    );
    expect(ofType(drafts, 'tool-end')).toMatchObject([{ status: 'cancelled' }]);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'interrupted' }]);
  });

  test('a half message whose stream broke is taken back, because the model says it anew', () => {
    const drafts = read(
      notice('item/agentMessage/delta', { itemId: 'm1', delta: 'Hal' }),
      notice('error', { error: { message: 'Reconnecting... 1/5', additionalDetails: 'cut' }, willRetry: true }),
      completed({ type: 'agentMessage', id: 'm2', text: 'Half.' }),
      turnCompleted(),
    );
    expect(ofType(drafts, 'retry')).toMatchObject([{ attempt: 1, maxAttempts: 5, why: 'cut' }]);
    expect(ofType(drafts, 'text-end')).toMatchObject([
      { messageId: 'm1', partial: true },
      { messageId: 'm2', text: 'Half.' },
    ]);
    expect(ofType(drafts, 'message-retract')).toMatchObject([{ messageId: 'm1', why: 'stream-broken' }]);
  });

  test('a failure has the category that Codex gives', () => {
    const error = { message: 'nope', codexErrorInfo: { responseStreamDisconnected: { httpStatusCode: 401 } } };
    expect(ofType(read(turnCompleted({ status: 'failed', error })), 'turn-end')).toMatchObject([
      { outcome: 'failed', error: { category: 'auth', httpStatus: 401 } },
    ]);
    const limit = { message: 'nope', codexErrorInfo: 'usageLimitExceeded' };
    expect(ofType(read(turnCompleted({ status: 'failed', error: limit })), 'turn-end')).toMatchObject([
      { error: { category: 'billing' } },
    ]);
  });

  test('usage is the sum of the calls of this turn; a repeated total is no call', () => {
    const call = { totalTokens: 30, inputTokens: 20, cachedInputTokens: 5, outputTokens: 10 };
    const drafts = read(usage(30, call), usage(30, call), usage(60, call), turnCompleted());
    expect(ofType(drafts, 'turn-end')).toMatchObject([
      {
        usage: { inputTokens: 30, cacheReadTokens: 10, outputTokens: 20 },
        cost: { usd: (30 * 5 + 10 * 0.5 + 20 * 30) / 1e6, scope: 'turn', origin: 'computed' },
      },
    ]);
  });

  test('a resumed thread repeats the usage of its past, which is not of the new turn', () => {
    const call = { totalTokens: 30, inputTokens: 20, outputTokens: 10 };
    const talk = begin({ resume: 't-1' });
    talk.hear(notice('thread/status/changed', { status: { type: 'idle' } }));
    talk.hear({ id: 2, result: opened });
    talk.hear(usage(30, call));
    talk.hear(turnStarted);
    talk.hear(usage(60, call));
    talk.hear(turnCompleted());
    expect(talk.events[0]).toMatchObject({ type: 'session-start', resumed: true });
    expect(ofType(talk.events, 'usage-update')[0]).not.toHaveProperty('usage');
    expect(ofType(talk.events, 'turn-end')).toMatchObject([{ usage: { inputTokens: 20, outputTokens: 10 } }]);
  });

  test('a sub-agent speaks under the call that spawned it, even before that call names it, and is counted once', () => {
    const spawn = { type: 'collabAgentToolCall', id: 'call', tool: 'spawnAgent', prompt: 'Compute' };
    const child = (method: string, params: object = {}) => ({ method, params: { threadId: 'child', ...params } });
    const call = { inputTokens: 10, outputTokens: 1 };
    const drafts = read(
      started({ ...spawn, status: 'inProgress', receiverThreadIds: [] }),
      child('warning', { message: 'early' }),
      completed({ ...spawn, status: 'completed', receiverThreadIds: ['child'], model: 'gpt-99', agentsStates: {} }),
      child('turn/started', { turn: { id: 'turn-2' } }),
      child('item/completed', { item: { type: 'agentMessage', id: 'm', text: '42' } }),
      child('thread/tokenUsage/updated', { tokenUsage: { total: { totalTokens: 11 }, last: call } }),
      child('turn/completed', { turn: { status: 'completed' } }),
      usage(11, call),
      turnCompleted(),
    );
    expect(ofType(drafts, 'warning')).toMatchObject([{ parent: 'call' }]);
    expect(ofType(drafts, 'text-end')).toMatchObject([{ parent: 'call', text: '42' }]);
    expect(ofType(drafts, 'turn-start')).toHaveLength(1);
    const [end] = ofType(drafts, 'turn-end');
    expect(end).toMatchObject({
      usage: { inputTokens: 10, outputTokens: 1 },
      openTasks: ['child'],
      cost: { origin: 'lower-bound' },
    });
    expect(end).not.toHaveProperty('text');
  });

  test('plans, limits, moves', () => {
    const changes = [{ path: '/repo/a', kind: { type: 'update', move_path: '/repo/b' }, diff: '@@' }];
    const drafts = read(
      notice('turn/plan/updated', { plan: [{ step: 'a', status: 'inProgress' }] }),
      {
        method: 'account/rateLimits/updated',
        params: { rateLimits: { primary: { usedPercent: 95, windowDurationMins: 300, resetsAt: 1_800_000_000 } } },
      },
      completed({ type: 'fileChange', id: 'f', changes, status: 'completed' }),
    );
    expect(ofType(drafts, 'todo-update')).toMatchObject([{ todos: [{ text: 'a', status: 'active' }] }]);
    expect(ofType(drafts, 'rate-limit')).toMatchObject([
      { state: 'warning', utilization: 0.95, resetsAt: 1_800_000_000_000, window: '300 min' },
    ]);
    expect(ofType(drafts, 'file-change')).toMatchObject([{ path: '/repo/a', kind: 'move', to: '/repo/b', diff: '@@' }]);
  });

  test.each([
    [notice('turn/teleported'), { wireType: 'turn/teleported' }],
    [completed({ type: 'hologram', id: 'h' }), { wireType: 'item/completed', wireSubtype: 'hologram' }],
    [{ jsonrpc: '2.0' }, { wireType: 'nonsense' }],
  ])('%j is unknown and harms nothing', (value, unknown) => {
    const drafts = read(value, turnCompleted());
    expect(ofType(drafts, 'unknown')).toMatchObject([unknown]);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
  });
});
