import { describe, expect, test } from 'vitest';
import { codex } from '../../../src/agent/codex/index.js';
import type { CommandRequest } from '../../../src/agent/index.js';
import { draftsOf, ofType, requestFor } from '../drive.js';

const session = { type: 'thread.started', thread_id: 't-1' };
const turn = { type: 'turn.started' };
const done = (usage: object = { input_tokens: 10, output_tokens: 2 }) => ({ type: 'turn.completed', usage });
const failed = (message: string) => ({ type: 'turn.failed', error: { message } });
const error = (message: string) => ({ type: 'error', message });
const started = (item: object) => ({ type: 'item.started', item: { id: 'item_0', ...item } });
const completed = (item: object) => ({ type: 'item.completed', item: { id: 'item_0', ...item } });

const read = (values: unknown[], request?: Partial<CommandRequest>) =>
  draftsOf(codex, [session, turn, ...values], request);
const toolEnd = (item: object) => ofType(read([completed(item), done()]), 'tool-end')[0];
const turnEnd = (values: unknown[], request?: Partial<CommandRequest>) => ofType(read(values, request), 'turn-end')[0];

describe('errors that are none', () => {
  test.each([
    ['Reconnecting... 2/5 (stream disconnected)', { attempt: 2, maxAttempts: 5, why: 'stream disconnected' }],
    ['Reconnecting... 1/1', { attempt: 1, maxAttempts: 1 }],
    ['Reconnecting... waiting for network (Connection failed)', { why: 'Connection failed' }],
  ])('%s is a retry', (message, retry) => {
    const drafts = read([error(message), done()]);
    expect(ofType(drafts, 'retry')).toMatchObject([retry]);
    expect(ofType(drafts, 'agent-error')).toEqual([]);
  });

  test('an error is fatal only when the turn fails, and is said once', () => {
    const fatal = read([error('Quota exceeded.'), failed('Quota exceeded.')]);
    expect(ofType(fatal, 'agent-error')).toMatchObject([
      { fatal: true, category: 'billing', message: 'Quota exceeded.' },
    ]);
    const survived = read([error('odd'), done()]);
    expect(ofType(survived, 'agent-error')).toMatchObject([{ fatal: false }]);
    expect(ofType(survived, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
  });

  test('an error item is a warning and may come before the turn', () => {
    const drafts = draftsOf(codex, [session, completed({ type: 'error', message: 'fallback metadata' }), turn, done()]);
    expect(ofType(drafts, 'warning')).toMatchObject([{ message: 'fallback metadata', turn: 0 }]);
  });
});

describe('failures', () => {
  test.each([
    ['unexpected status 401 Unauthorized: Incorrect API key provided', { category: 'auth', httpStatus: 401 }],
    ['exceeded retry limit, last status: 429 Too Many Requests', { category: 'rate-limit', httpStatus: 429 }],
    ["Codex ran out of room in the model's context window.", { category: 'context-limit' }],
    ['Missing environment variable: `KEY`.', { category: 'config' }],
    ['stream disconnected before completion: idle timeout waiting for SSE', { category: 'network' }],
    [
      'stream disconnected before completion: Incomplete response returned, reason: content_filter',
      { category: 'refusal' },
    ],
    ['We’re currently experiencing high demand', { category: 'overloaded' }],
  ])('%s', (message, facts) => {
    expect(turnEnd([error(message), failed(message)])).toMatchObject({
      outcome: 'failed',
      error: { message, ...facts },
    });
  });

  test('a stream that ends without a result is unknown, with the last error', () => {
    expect(turnEnd([])).toMatchObject({ outcome: 'unknown', source: 'synthetic' });
    expect(turnEnd([error('boom')])).toMatchObject({ outcome: 'unknown', error: { message: 'boom' } });
  });
});

describe('tools', () => {
  test('U-1.2 a command ends with its output and exit code', () => {
    const command = { type: 'command_execution', command: `/bin/bash -lc 'echo hi'` };
    const drafts = read([
      started({ ...command, status: 'in_progress', exit_code: null }),
      completed({ ...command, status: 'failed', aggregated_output: 'hi\n', exit_code: 3 }),
      done(),
    ]);
    expect(ofType(drafts, 'tool-start')).toMatchObject([{ id: 'item_0', name: 'Bash', kind: 'execute' }]);
    expect(ofType(drafts, 'tool-input-end')).toMatchObject([{ summary: 'echo hi' }]);
    expect(ofType(drafts, 'tool-end')).toMatchObject([{ status: 'failed', output: 'hi\n', exitCode: 3 }]);
  });

  test.each([
    ['completed hiding an exit code', { status: 'completed', exit_code: 3 }, 'failed'],
    ['declined by a reviewer', { status: 'declined', exit_code: null }, 'denied'],
    ['a status of tomorrow', { status: 'paused' }, 'unknown'],
    ['a status of a wrong type, with an exit code', { status: 7, exit_code: 0 }, 'ok'],
  ])('%s', (_, item, status) => {
    expect(toolEnd({ type: 'command_execution', command: 'x', ...item })).toMatchObject({ status });
  });

  test.each([
    [`/bin/bash -lc 'echo '\\''x'\\'''`, `echo 'x'`],
    [`/bin/bash -lc "echo \\"\\$x\\""`, 'echo "$x"'],
    ['/bin/bash -lc true', 'true'],
    ['ls -la', 'ls -la'],
  ])('the command inside %s', (command, summary) => {
    expect(ofType(read([started({ type: 'command_execution', command })]), 'tool-input-end')).toMatchObject([
      { summary },
    ]);
  });

  test('0.65 prints file changes only when they are complete', () => {
    const changes = [
      { path: '/repo/a', kind: 'add' },
      { path: '/repo/b', kind: 'delete' },
      { path: '/repo/c', kind: 'update' },
    ];
    const drafts = read([completed({ type: 'file_change', changes, status: 'completed' }), done()]);
    expect(ofType(drafts, 'file-change')).toMatchObject([
      { path: '/repo/a', kind: 'create', toolId: 'item_0' },
      { path: '/repo/b', kind: 'delete' },
      { path: '/repo/c', kind: 'edit' },
    ]);
    expect(ofType(drafts, 'tool-start')).toHaveLength(1);
  });

  test('a change that failed changed nothing', () => {
    const drafts = read([completed({ type: 'file_change', changes: [{ path: '/x', kind: 'add' }], status: 'failed' })]);
    expect(ofType(drafts, 'file-change')).toEqual([]);
  });

  test('an MCP tool that failed may carry its words in the result or in the error', () => {
    const call = { type: 'mcp_tool_call', server: 's', tool: 't', arguments: {}, status: 'failed' };
    expect(toolEnd({ ...call, result: { content: [{ type: 'text', text: 'no' }] }, error: null })).toMatchObject({
      status: 'failed',
      output: 'no',
    });
    expect(toolEnd({ ...call, result: null, error: { message: 'gone' } })).toMatchObject({
      status: 'failed',
      output: 'gone',
    });
  });

  test('a search keeps the second of its two ids from start to end', () => {
    const line = (type: string) =>
      JSON.parse(`{"type":"item.${type}","item":{"id":"item_0","type":"web_search","id":"ws_1","query":"q"}}`);
    const drafts = read([line('started'), line('completed'), done()]);
    expect(ofType(drafts, 'tool-start')).toMatchObject([{ id: 'ws_1', remote: true }]);
    expect(ofType(drafts, 'tool-end')).toMatchObject([{ id: 'ws_1', status: 'ok' }]);
  });

  test('a command that still runs when the turn ends is closed as unknown', () => {
    const drafts = read([started({ type: 'command_execution', command: 'sleep 60' }), done()]);
    expect(ofType(drafts, 'tool-end')).toMatchObject([{ status: 'unknown', source: 'synthetic' }]);
    expect(drafts.at(-1)?.type).toBe('turn-end');
  });

  test('a sub-agent is a task that ends once, whichever call reports it', () => {
    const call = { type: 'collab_tool_call', receiver_thread_ids: ['child'], status: 'completed' };
    const state = (status: string) => ({ agents_states: { child: { status, message: '42' } } });
    const drafts = read([
      completed({ ...call, id: 'item_1', tool: 'spawn_agent', prompt: 'Compute', ...state('pending_init') }),
      completed({ ...call, id: 'item_2', tool: 'wait', ...state('completed') }),
      completed({ ...call, id: 'item_3', tool: 'close_agent', ...state('running') }),
      done(),
    ]);
    expect(ofType(drafts, 'task-start')).toMatchObject([{ id: 'child', toolId: 'item_1', description: 'Compute' }]);
    expect(ofType(drafts, 'task-end')).toMatchObject([{ id: 'child', status: 'ok', summary: '42' }]);
    expect(ofType(drafts, 'tool-end')[1]).toMatchObject({ id: 'item_2', output: '42' });
  });

  test('a to-do list that is printed again unchanged is said once', () => {
    const list = {
      type: 'todo_list',
      items: [
        { text: 'a', completed: true },
        { text: 'b', completed: false },
      ],
    };
    const drafts = read([started(list), completed(list), done()]);
    expect(ofType(drafts, 'todo-update').map(({ todos }) => todos)).toEqual([
      [
        { text: 'a', status: 'done' },
        { text: 'b', status: 'pending' },
      ],
    ]);
  });
});

describe('the result', () => {
  test('the answer is the last message', () => {
    const say = (id: string, text: string) => completed({ id, type: 'agent_message', text });
    expect(turnEnd([say('item_0', 'first'), say('item_1', 'second'), done()])).toMatchObject({ text: 'second' });
  });

  test('input is counted without the cached tokens', () => {
    const usage = { input_tokens: 3300, cached_input_tokens: 2100, cache_write_input_tokens: 77, output_tokens: 90 };
    expect(turnEnd([done(usage)])?.usage).toEqual({
      inputTokens: 1123,
      cacheReadTokens: 2100,
      cacheWriteTokens: 77,
      outputTokens: 90,
    });
  });

  test('one zero is a figure like any other', () => {
    expect(turnEnd([done({ input_tokens: 0, output_tokens: 3 })])?.usage).toMatchObject({ outputTokens: 3 });
    expect(turnEnd([done({ input_tokens: 3, output_tokens: 0 })])?.usage).toMatchObject({ inputTokens: 3 });
  });

  test('a review that reports only zeros reports nothing', () => {
    expect(turnEnd([done({ input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 })])).not.toHaveProperty('usage');
  });

  const total = { input_tokens: 2e6, cached_input_tokens: 1e6, output_tokens: 1e6, reasoning_output_tokens: 1 };

  test.each([
    ['a new session', requestFor({ model: 'gpt-5.5' }), total, { usd: 35.5, scope: 'turn' }, undefined],
    [
      'a resumed one reports the whole thread',
      requestFor({ model: 'gpt-5.5', resume: 't-1' }),
      total,
      { scope: 'session' },
      'session',
    ],
    [
      '0.65 reports the turn alone',
      requestFor({ model: 'gpt-5.5', resume: 't-1' }),
      { ...total, reasoning_output_tokens: undefined },
      { scope: 'turn' },
      undefined,
    ],
    ['a dated model', requestFor({ model: 'gpt-5.5-2026-04-23' }), total, { usd: 35.5, origin: 'computed' }, undefined],
    ['a model without a known price', requestFor({ model: 'gpt-99' }), total, undefined, undefined],
    ['no model was named', requestFor(), total, undefined, undefined],
  ])('cost: %s', (_, request, usage, cost, usageScope) => {
    const end = turnEnd([done(usage)], request);
    if (cost) expect(end?.cost).toMatchObject(cost);
    else expect(end).not.toHaveProperty('cost');
    expect(end?.usageScope).toBe(usageScope);
  });

  test('structured output is the last message, when a schema was asked for and the message obeys', () => {
    const say = (text: string) => completed({ type: 'agent_message', text });
    const request = requestFor({ outputSchema: {} });
    expect(turnEnd([say('{"n":1}'), done()], request)?.structuredOutput).toEqual({ n: 1 });
    expect(turnEnd([say('not json'), done()], request)).not.toHaveProperty('structuredOutput');
  });
});

describe('the session', () => {
  test('a fork has a new id', () => {
    const drafts = draftsOf(codex, [session], requestFor({ resume: 't-0', fork: true }));
    expect(ofType(drafts, 'session-change')).toMatchObject([{ previousId: 't-0', newId: 't-1', reason: 'fork' }]);
  });

  test('0.166 silently starts anew for some unknown ids, which is said', () => {
    const drafts = draftsOf(codex, [session], requestFor({ resume: 'nonsense' }));
    expect(ofType(drafts, 'warning')).toMatchObject([{ code: 'session-not-resumed' }]);
  });
});

describe('what this version does not know', () => {
  test.each([
    [{ type: 'turn.paused' }, { wireType: 'turn.paused' }],
    [completed({ type: 'hologram' }), { wireType: 'item.completed', wireSubtype: 'hologram' }],
    [completed({ type: 'constructor' }), { wireType: 'item.completed', wireSubtype: 'constructor' }],
    [42, { wireType: 'number' }],
    [null, { wireType: 'null' }],
    [[], { wireType: 'array' }],
  ])('%j is unknown and harms nothing', (value, unknown) => {
    const drafts = read([value, done()]);
    expect(ofType(drafts, 'unknown')).toMatchObject([{ ...unknown, bytes: 100 }]);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
  });
});
