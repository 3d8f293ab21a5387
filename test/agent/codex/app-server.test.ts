/** A conversation with `codex app-server`: opening a thread, speaking to it, and what it prints. */
import { describe, expect, test } from 'vitest';
import { codex } from '../../../src/agent/codex/index.js';
import type { CommandRequest } from '../../../src/agent/index.js';
import type { Draft } from '../../../src/event/index.js';
import { ofType } from '../drive.js';
import { begin, completed, inTurn, notice, opened, started, turnStarted } from './app-server.js';

type Message = Record<string, unknown>;

const turnCompleted = (turn: object = { status: 'completed', error: null }) => notice('turn/completed', { turn });

describe('a hook', () => {
  test.each([
    ['completed', 'ok'],
    ['stopped', 'cancelled'],
    ['blocked', 'failed'],
    [undefined, 'failed'],
  ])('that is %s: %s', (status, outcome) => {
    const talk = inTurn();
    const entries = [{ text: 'a' }, {}, { text: 'b' }];
    talk.hear(notice('hook/completed', { run: { id: 'h', eventName: 'stop', status, entries } }));
    expect(ofType(talk.events, 'hook-end')).toMatchObject([{ name: 'stop', event: 'stop', outcome, output: 'a\nb' }]);
  });
});

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

  test('what 0.166 announces and no recording has: agents at work, interrupted calls, pictures that failed, words of hooks', () => {
    const activity = (id: string, kind: string) =>
      completed({ type: 'subAgentActivity', id, kind, agentThreadId: 'child', agentPath: '/root/reviewer' });
    const image = { type: 'imageGeneration', result: '', status: 'completed' };
    const drafts = read(
      activity('a1', 'started'),
      activity('a2', 'interacted'),
      activity('a3', 'interrupted'),
      completed({
        type: 'collabAgentToolCall',
        id: 'wait',
        tool: 'wait',
        status: 'interrupted',
        receiverThreadIds: [],
      }),
      completed({ ...image, id: 'i1', failure: { type: 'moderation' } }),
      completed({ ...image, id: 'i2', failure: null }),
      completed({
        type: 'hookPrompt',
        id: 'h',
        fragments: [
          { hookRunId: 'r', text: 'Mind' },
          { hookRunId: 'r', text: 'it' },
        ],
      }),
      turnCompleted(),
    );
    expect(ofType(drafts, 'task-start')).toMatchObject([{ id: 'child', kind: 'agent', description: '/root/reviewer' }]);
    expect(ofType(drafts, 'task-end')).toMatchObject([{ id: 'child', status: 'stopped' }]);
    expect(ofType(drafts, 'tool-end')).toMatchObject([
      { id: 'wait', status: 'cancelled' },
      { id: 'i1', status: 'failed' },
      { id: 'i2', status: 'ok' },
    ]);
    expect(ofType(drafts, 'user-message').at(-1)).toMatchObject({ text: 'Mind\nit', synthetic: true });
    expect(ofType(drafts, 'unknown')).toEqual([]);
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
      { state: 'allowed', windows: [{ name: 'five_hour', utilization: 0.95, resetsAt: 1_800_000_000_000 }] },
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
