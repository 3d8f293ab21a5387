/** The traps of Copilot's stream, one by one. */
import { describe, expect, test } from 'vitest';
import { copilot } from '../../../src/agent/copilot/index.js';
import { todosFrom } from '../../../src/agent/copilot/todo.js';
import { draftsOf, ofType } from '../drive.js';

const prompt = line('user.message', { content: 'go', messageId: 'u' });
const idle = line('assistant.idle', {});
const result = { type: 'result', sessionId: 's', exitCode: 0, usage: { premiumRequests: 0, sessionDurationMs: 9 } };

function line(type: string, data: object, more: object = {}) {
  return { type, data, id: 'x', timestamp: 't', parentId: 'p', ...more };
}

function tool(id: string, name: string, args: object, complete: object) {
  return [
    line('tool.execution_start', { toolCallId: id, toolName: name, arguments: args }),
    line('tool.execution_complete', { toolCallId: id, ...complete }),
  ];
}

const read = (...lines: unknown[]) => draftsOf(copilot, lines);

describe('session', () => {
  test('is introduced before the first message, with what the lines before said', () => {
    const events = read(
      line('session.mcp_servers_loaded', { servers: [{ name: 'echo', status: 'connected' }] }),
      line('session.tools_updated', { model: 'm' }),
      prompt,
    );
    expect(events[0]).toMatchObject({
      type: 'session-start',
      model: 'm',
      mcpServers: [{ name: 'echo', status: 'connected' }],
    });
  });

  test('a server that goes down later is told', () => {
    const events = read(
      line('session.mcp_servers_loaded', { servers: [{ name: 'echo', status: 'connected' }, { name: 'other' }] }),
      prompt,
      line('session.mcp_server_status_changed', { serverName: 'echo', status: 'failed' }),
    );
    expect(ofType(events, 'session-update')).toMatchObject([
      { mcpServers: [{ name: 'echo', status: 'failed' }, { name: 'other' }] },
    ]);
  });

  test('has its id only from the result, which is no change of session', () => {
    const events = read(prompt, result);
    expect(events.map(({ type, sessionId }) => [type, sessionId])).toEqual([
      ['session-start', undefined],
      ['turn-start', undefined],
      ['user-message', undefined],
      ['turn-end', 's'],
    ]);
  });

  test('has its id from the start when it was asked for', () => {
    const sessionId = '00000000-0000-4000-8000-000000000000';
    expect(draftsOf(copilot, [prompt], { sessionId })[0]).toMatchObject({ type: 'session-start', sessionId });
  });
});

describe('speech', () => {
  test('thoughts come three times and are told once', () => {
    const events = read(
      prompt,
      line('assistant.reasoning_delta', { reasoningId: 'r', deltaContent: 'Hm' }),
      line('assistant.reasoning_delta', { reasoningId: 'r', deltaContent: 'm.' }),
      line('assistant.message', { messageId: 'm', content: 'Yes.', reasoningText: 'Hmm.' }),
      line('assistant.reasoning', { reasoningId: 'r', content: 'Hmm.' }),
    );
    expect(ofType(events, 'thinking-end').map(({ text }) => text)).toEqual(['Hmm.']);
    expect(ofType(events, 'text-end').map(({ text }) => text)).toEqual(['Yes.']);
  });

  test.each([
    ['the message first', ['assistant.message', 'assistant.reasoning']],
    ['the thoughts first', ['assistant.reasoning', 'assistant.message']],
  ])('without deltas they are told once too: %s', (_, order) => {
    const lines = {
      'assistant.message': { messageId: 'm', content: 'Yes.', reasoningText: 'Hmm.' },
      'assistant.reasoning': { reasoningId: 'r', content: 'Hmm.' },
    };
    const events = read(prompt, ...order.map((type) => line(type, lines[type as keyof typeof lines])));
    expect(ofType(events, 'thinking-end').map(({ text }) => text)).toEqual(['Hmm.']);
  });

  test('a message without text is none', () => {
    const events = read(prompt, line('assistant.message', { messageId: 'm', content: '', toolRequests: [] }));
    expect(ofType(events, 'text-end')).toEqual([]);
  });

  test('what was cut off is taken back when it is said anew', () => {
    const events = read(
      prompt,
      line('assistant.turn_start', {}),
      line('assistant.message_delta', { messageId: 'm', deltaContent: 'Cut o' }),
      line('assistant.turn_end', {}),
      line('assistant.turn_start', {}),
    );
    expect(ofType(events, 'message-retract')).toMatchObject([{ messageId: 'm', why: 'superseded' }]);
  });

  test('a retry tells the failure before it, and the calls that were being written are off', () => {
    const events = read(
      prompt,
      line('assistant.tool_call_delta', { toolCallId: 'c', toolName: 'bash', inputDelta: '{' }),
      line('model.call_failure', { statusCode: 500, retryAttempt: 0, errorMessage: '{"message":"Oops"}' }),
      line('assistant.turn_retry', { reason: 'api_error' }),
    );
    expect(ofType(events, 'retry')).toMatchObject([{ attempt: 1, httpStatus: 500, why: 'Oops' }]);
    expect(ofType(events, 'tool-end')).toMatchObject([{ id: 'c', status: 'cancelled' }]);
    expect(ofType(events, 'agent-error')).toEqual([]);
  });
});

describe('tools', () => {
  test.each([
    ['success with exit code 3 is a failure', { success: true, shellExecution: { exitCode: 3 } }, 'failed'],
    ['exit code 0', { success: true, shellExecution: { exitCode: 0 } }, 'ok'],
    ['denied', { success: false, error: { code: 'denied', message: 'No.' } }, 'denied'],
    ['any other failure', { success: false, error: { code: 'failure', message: 'No.' } }, 'failed'],
  ])('%s', (_, complete, status) => {
    const events = read(prompt, ...tool('c', 'bash', { command: 'x' }, complete));
    expect(ofType(events, 'tool-end')).toMatchObject([{ status }]);
    expect(ofType(events, 'permission-deny')).toHaveLength(status === 'denied' ? 1 : 0);
  });

  test('the note about the shell is not part of the output', () => {
    const content = 'out\n<shellId: 0 completed with exit code 0>';
    const events = read(prompt, ...tool('c', 'bash', {}, { success: true, result: { content } }));
    expect(ofType(events, 'tool-end')).toMatchObject([{ output: 'out' }]);
  });

  test('pieces of output count, the whole so far does not', () => {
    const [start] = tool('c', 'bash', {}, {});
    const events = read(
      prompt,
      start,
      line('tool.shell_output', { toolCallId: 'c', stream: 'stdout', text: 'a\n' }),
      line('tool.execution_partial_result', { toolCallId: 'c', partialOutput: 'a\n' }),
      line('tool.shell_output', { toolCallId: 'c', stream: 'stderr', text: 'b\n' }),
      line('tool.execution_partial_result', { toolCallId: 'c', partialOutput: 'a\nb\n' }),
    );
    expect(ofType(events, 'tool-output-delta').map(({ text, stream }) => [text, stream])).toEqual([
      ['a\n', 'stdout'],
      ['b\n', 'stderr'],
    ]);
  });

  test('a tool of a server is one from its first delta', () => {
    const events = read(
      line('session.mcp_servers_loaded', { servers: [{ name: 'echo' }] }),
      prompt,
      line('assistant.tool_call_delta', { toolCallId: 'c', toolName: 'echo-say', inputDelta: '{' }),
    );
    expect(ofType(events, 'tool-start')).toMatchObject([{ kind: 'other', mcp: { server: 'echo', tool: 'say' } }]);
  });

  test('an edit changes a file, a view with a diff does not', () => {
    const outcome = {
      success: true,
      result: { content: 'ok', detailedContent: 'diff --git\n@@ -1,1 +1,1 @@\n-a\n+b\n' },
    };
    const events = read(
      prompt,
      ...tool('v', 'view', { path: '/a' }, outcome),
      ...tool('e', 'edit', { path: '/a' }, { ...outcome, fileEdits: [{ path: '/a', kind: 'edit' }] }),
      ...tool('n', 'create', { path: '/n' }, outcome),
    );
    expect(ofType(events, 'file-change').map(({ toolId, kind, diff }) => [toolId, kind, diff])).toEqual([
      ['e', 'edit', '@@ -1,1 +1,1 @@\n-a\n+b\n'],
      ['n', 'create', '@@ -1,1 +1,1 @@\n-a\n+b\n'],
    ]);
  });

  test.each([
    [
      'SELECT * FROM todos',
      '| id | title | status |\n| --- | --- | --- |\n| a | Read | done |\n| b | Go | in_progress |',
      2,
    ],
    ['SELECT id, title, status FROM todos ORDER BY id', '| title | status |\n| --- | --- |\n| Read | pending |', 1],
    ["SELECT * FROM todos WHERE status = 'done'", '| title | status |\n| --- | --- |\n| Read | done |', undefined],
    ['SELECT count(*) FROM todos', '| count(*) |\n| --- |\n| 3 |', undefined],
  ])('%s tells the list or nothing', (query, answer, count) => {
    expect(todosFrom(query, answer)?.length).toBe(count);
  });
});

describe('sub-agents', () => {
  test('speak under the call that started them and are a task', () => {
    const agentId = { agentId: 'a' };
    const events = read(
      prompt,
      line('subagent.started', { toolCallId: 'c', agentName: 'general', executionMode: 'sync' }, agentId),
      line('user.message', { content: 'sub' }, agentId),
      line('assistant.message', { messageId: 'm', content: 'Mine.' }, agentId),
      line('subagent.completed', { toolCallId: 'c', totalTokens: 5 }, agentId),
      result,
    );
    expect(ofType(events, 'text-end')).toMatchObject([{ parent: 'c', text: 'Mine.' }]);
    expect(ofType(events, 'task-end')).toMatchObject([{ id: 'a', toolId: 'c', status: 'ok', tokens: 5 }]);
    expect(ofType(events, 'turn-end')[0]?.text).toBeUndefined();
    expect(ofType(events, 'turn-start')).toHaveLength(1);
  });
});

describe('ending', () => {
  const failure = line('session.error', { message: 'Failed. Last error: 500 Oops', statusCode: 500 });
  const aborted = line('assistant.idle', { aborted: true });
  test.each([
    ['a result', [prompt, idle, result], 'success'],
    ['no result, but at rest', [prompt, idle], 'success'],
    ['a failure', [prompt, failure, idle, { ...result, exitCode: 1 }], 'failed'],
    ['a failure without a result', [prompt, failure, idle], 'failed'],
    ['interrupted, with exit status 0', [prompt, line('abort', { reason: 'user' }), aborted, result], 'interrupted'],
    ['interrupted without a result', [prompt, aborted], 'interrupted'],
    ['cut off', [prompt], 'unknown'],
  ])('%s', (_, lines, outcome) => {
    expect(ofType(read(...lines), 'turn-end').map((end) => end.outcome)).toEqual([outcome]);
  });
});
