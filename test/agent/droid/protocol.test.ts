/** The traps of Droid's two streams, one by one. */
import { describe, expect, test } from 'vitest';
import { droid } from '../../../src/agent/droid/index.js';
import { converse, draftsOf, ofType, requestFor } from '../drive.js';

const init = {
  type: 'system',
  subtype: 'init',
  session_id: 's',
  model: 'm',
  tools: ['Read'],
  reasoning_effort: 'none',
};
const prompt = { type: 'message', role: 'user', id: 'u', text: 'go' };
const completion = {
  type: 'completion',
  finalText: 'Done.',
  numTurns: 1,
  usage: { input_tokens: 6, output_tokens: 2 },
};

const read = (...lines: unknown[]) => draftsOf(droid, [init, prompt, ...lines]);

function call(name: string, parameters: object, result: object) {
  return [
    { type: 'tool_call', id: 'c', toolId: name, toolName: name, parameters },
    { type: 'tool_result', id: 'c', toolId: name, isError: false, ...result },
  ];
}

describe('stream-json', () => {
  test('thoughts are printed twice and told once, in the message they belong to', () => {
    const thought = { type: 'reasoning', id: 'm', text: 'Hm.' };
    const events = read(thought, thought, { type: 'message', role: 'assistant', id: 'm', text: 'Yes.' }, completion);
    expect(ofType(events, 'thinking-end').map(({ text }) => text)).toEqual(['Hm.']);
    expect(ofType(events, 'message-start')).toHaveLength(1);
  });

  test.each([
    ['a line that nobody knows', [{ type: 'new-in-this-version' }]],
    ['a call', call('Read', {}, { value: '' })],
  ])('what is said after a thought is told, also when %s came in between', (_, between) => {
    const thought = { type: 'reasoning', id: 'm', text: 'Hm.' };
    const said = { type: 'message', role: 'assistant', id: 'm', text: 'Yes.' };
    const events = read(thought, thought, ...between, said, said, completion);
    expect(ofType(events, 'text-end').map(({ text }) => text)).toEqual(['Yes.']);
    expect(ofType(events, 'message-end')).toHaveLength(1);
  });

  test.each([
    [
      { is_error: false, result: 'Done.' },
      { outcome: 'success', text: 'Done.' },
    ],
    [
      { is_error: true, result: '401 Incorrect API key' },
      { outcome: 'failed', error: { category: 'auth' } },
    ],
  ])('`--output-format json` prints one result: %j', (line, end) => {
    const events = draftsOf(droid, [{ type: 'result', session_id: 's', num_turns: 1, ...line }]);
    expect(ofType(events, 'turn-end')).toMatchObject([{ sessionId: 's', steps: 1, ...end }]);
  });

  test('a thought before a call is closed by it', () => {
    const events = read({ type: 'reasoning', id: 'm', text: 'Hm.' }, ...call('Read', {}, { value: '' }));
    const types = events.map(({ type }) => type);
    expect(types.indexOf('message-end')).toBeLessThan(types.indexOf('tool-start'));
  });

  test.each([
    ['an exit code in the words', { value: 'out\n\n\n[Process exited with code 0]' }, 'ok', 'out', 0],
    [
      'a command that fails',
      { isError: true, error: { message: 'Error: Command failed\n[Process exited with code 3]' } },
      'failed',
      'Error: Command failed',
      3,
    ],
    ['any other failure', { isError: true, error: { message: 'Error: no' } }, 'failed', 'Error: no', undefined],
  ])('%s', (_, result, status, output, exitCode) => {
    const [end] = ofType(read(...call('Execute', { command: 'x' }, result)), 'tool-end');
    expect(end).toMatchObject({ status, output });
    expect(end?.exitCode).toBe(exitCode);
  });

  test.each([
    ['Create', { file_path: '/a' }, [['/a', 'create']]],
    ['Edit', { file_path: '/a' }, [['/a', 'edit']]],
    [
      'ApplyPatch',
      { input: '*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Delete File: c\n*** End Patch' },
      [
        ['a', 'create'],
        ['b', 'edit'],
        ['c', 'delete'],
      ],
    ],
    ['Read', { file_path: '/a' }, []],
  ])('%s changes its files', (name, input, changes) => {
    const events = read(...call(name, input, { value: 'ok' }));
    expect(ofType(events, 'file-change').map(({ path, kind }) => [path, kind])).toEqual(changes);
  });

  test.each([
    [
      [
        { content: 'Read', status: 'completed' },
        { content: 'Go', status: 'in_progress' },
      ],
    ],
    ['1. [completed] Read\n2. [in_progress] Go'],
  ])('a list of things to do comes as a list or as a text: %j', (todos) => {
    expect(ofType(read(...call('TodoWrite', { todos }, { value: 'ok' })), 'todo-update')).toMatchObject([
      {
        todos: [
          { text: 'Read', status: 'done' },
          { text: 'Go', status: 'active' },
        ],
      },
    ]);
  });

  test('an edit tells the file line by line', () => {
    const diffLines = [
      { type: 'unchanged', content: 'a', lineNumber: { old: 1, new: 1 } },
      { type: 'removed', content: '  b', lineNumber: { old: 2 } },
      { type: 'added', content: '  c', lineNumber: { new: 2 } },
    ];
    const events = read(...call('Edit', { file_path: '/a' }, { value: JSON.stringify({ success: true, diffLines }) }));
    expect(ofType(events, 'file-change')).toMatchObject([{ diff: '@@ -1,2 +1,2 @@\n a\n-  b\n+  c\n' }]);
  });

  test('a sub-agent runs in the background, and its report is no message of the user', () => {
    const events = read(
      ...call('Task', { description: 'print', subagent_type: 'worker' }, { value: 'Task launched.\ntask_id: t\nx' }),
      {
        type: 'message',
        role: 'user',
        id: 'task-completion:t',
        text: 'Background task completed.\ntask_id: t\nreason: completed\noutput: It is done.\n\nBackground task "print"',
      },
      completion,
    );
    expect(ofType(events, 'task-start')).toMatchObject([
      { id: 't', toolId: 'c', agentType: 'worker', background: true },
    ]);
    expect(ofType(events, 'task-end')).toMatchObject([{ id: 't', status: 'ok', summary: 'It is done.' }]);
    expect(ofType(events, 'user-message').map(({ synthetic }) => synthetic)).toEqual([undefined, true]);
    expect(ofType(events, 'turn-start')).toHaveLength(1);
  });

  test('three underscores are a server and its tool', () => {
    const events = read(...call('echo___say_it', {}, { value: 'ok' }));
    expect(ofType(events, 'tool-start')).toMatchObject([{ kind: 'other', mcp: { server: 'echo', tool: 'say_it' } }]);
  });

  test('an error comes twice, is told once, and ends the turn without a completion', () => {
    const events = read(
      { type: 'error', source: 'agent_loop', message: '401 Incorrect API key provided' },
      { type: 'error', source: 'cli', message: 'Exec failed' },
    );
    expect(ofType(events, 'agent-error')).toHaveLength(1);
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'failed', error: { category: 'auth' } }]);
  });

  test('credits are no money', () => {
    const events = read({ ...completion, usage: { ...completion.usage, factory_credits: 7 } });
    expect(ofType(events, 'status')).toMatchObject([{ code: 'credits', text: '7 Factory credits' }]);
    expect(ofType(events, 'turn-end')[0]).toMatchObject({ usage: { inputTokens: 6, outputTokens: 2 } });
  });
});

describe('JSON-RPC', () => {
  const envelope = { jsonrpc: '2.0', factoryApiVersion: '1.0.0' };
  const notice = (notification: object) => ({
    ...envelope,
    type: 'notification',
    method: 'droid.session_notification',
    params: { notification },
  });
  const answer = (id: unknown, result: object) => ({ ...envelope, type: 'response', id, result });
  const said = notice({
    type: 'create_message',
    message: { id: 'u', role: 'user', content: [{ type: 'text', text: 'go' }] },
  });
  const completed = (reason: string) =>
    notice({ type: 'agent_turn_completed', reason, tokenUsage: { inputTokens: 1 } });
  const ask = (...uses: object[]) => ({
    ...envelope,
    type: 'request',
    id: 'p',
    method: 'droid.request_permission',
    params: {
      toolUses: uses.map((toolUse) => ({ toolUse, details: {} })),
      options: [{ value: 'proceed_once' }, { value: 'proceed_always' }, { value: 'cancel' }],
    },
  });
  const execute = { id: 'c', name: 'Execute', input: { command: 'touch x' } };

  function begun(request: Parameters<typeof requestFor>[0] = {}) {
    const talk = converse(droid, requestFor({ mode: 'conversation', permission: 'ask', prompt: 'go', ...request }));
    talk.start();
    talk.hear(answer(talk.sent.at(-1)?.id, request?.resume ? {} : { sessionId: 's', settings: { modelId: 'm' } }));
    return talk;
  }

  test('a text that says no place in its message is its first block', () => {
    const talk = begun();
    talk.hear(notice({ type: 'assistant_text_delta', messageId: 'm', textDelta: 'Yes.' }));
    talk.hear(notice({ type: 'assistant_text_complete', messageId: 'm' }));
    expect(ofType(talk.events, 'text-end')).toMatchObject([{ messageId: 'm', index: 0, text: 'Yes.' }]);
  });

  test('what sub-agents used is counted', () => {
    const end = {
      type: 'agent_turn_completed',
      reason: 'completed',
      tokenUsage: { inputTokens: 5, outputTokens: 2, cacheReadTokens: 7, factoryCredits: 3 },
      childTokenUsage: { inputTokens: 10, outputTokens: 1, cacheCreationTokens: 4, factoryCredits: 2 },
    };
    const events = draftsOf(droid, [answer('1', { sessionId: 's' }), said, notice(end)]);
    expect(ofType(events, 'turn-end')).toMatchObject([
      {
        usage: { inputTokens: 15, outputTokens: 3, cacheReadTokens: 7, cacheWriteTokens: 4 },
        usageCovers: 'all',
      },
    ]);
    expect(ofType(events, 'status')).toMatchObject([{ text: '5 Factory credits' }]);
  });

  test('the prompt waits for the session, and every message wears the envelope', () => {
    const { sent } = begun();
    expect(sent).toEqual([
      {
        ...envelope,
        type: 'request',
        id: '1',
        method: 'droid.initialize_session',
        params: { machineId: 'glassbox', cwd: '/repo', autonomyLevel: 'off', interactionMode: 'auto' },
      },
      { ...envelope, type: 'request', id: '2', method: 'droid.add_user_message', params: { text: 'go' } },
    ]);
  });

  test.each([
    ['bypass', { autonomyLevel: 'high', interactionMode: 'auto' }],
    ['accept-edits', { autonomyLevel: 'off', interactionMode: 'auto' }],
    ['plan', { autonomyLevel: 'off', interactionMode: 'spec' }],
    ['deny', { autonomyLevel: 'off', interactionMode: 'auto' }],
  ] as const)('%s', (permission, params) => {
    expect(begun({ permission }).sent[0]).toMatchObject({ params });
  });

  test('a session that is resumed keeps its id and is told what it may do before anything else', () => {
    const talk = begun({ resume: 'old', model: 'm' });
    expect(talk.sent.map(({ method }) => method)).toEqual([
      'droid.load_session',
      'droid.update_session_settings',
      'droid.add_user_message',
    ]);
    expect(talk.events[0]).toMatchObject({ type: 'session-start', sessionId: 'old', resumed: true });
  });

  test('another model is a setting of the session, another permission cannot be set', () => {
    const talk = begun();
    talk.act({ type: 'set-model', model: 'other' });
    expect(talk.sent.at(-1)).toMatchObject({ method: 'droid.update_session_settings', params: { modelId: 'other' } });
    expect(talk.protocol.act({ type: 'set-permission', mode: 'plan' })).toBe('unsupported');
  });

  test.each([
    [{ type: 'approve', id: 'p', by: 'person' }, 'proceed_once', 'allow'],
    [{ type: 'approve', id: 'p', by: 'person', remember: [0] }, 'proceed_always', 'allow-always'],
    [{ type: 'deny', id: 'p', by: 'rule', message: 'no' }, 'cancel', 'deny'],
  ] as const)('%j is %s', (action, selectedOption, decision) => {
    const talk = begun();
    talk.hear(said);
    talk.hear(ask(execute));
    talk.act(action);
    talk.hear(notice({ type: 'permission_resolved', requestId: 'p', selectedOption }));
    expect(talk.sent.at(-1)).toEqual({ ...envelope, type: 'response', id: 'p', result: { selectedOption } });
    expect(ofType(talk.events, 'approval-resolve')).toMatchObject([{ decision, by: action.by }]);
  });

  test('a call that was refused is denied, not failed', () => {
    const talk = begun();
    talk.hear(said);
    talk.hear(notice({ type: 'tool_call', toolUse: { ...execute, input: {} } }));
    talk.hear(notice({ type: 'tool_call', toolUse: execute }));
    talk.hear(ask(execute));
    talk.act({ type: 'deny', id: 'p', by: 'person', message: 'no' });
    talk.hear(
      notice({
        type: 'tool_result',
        toolUseId: 'c',
        content: 'Error: Tool execution cancelled by user',
        isError: true,
      }),
    );
    expect(ofType(talk.events, 'tool-input-end')).toMatchObject([{ input: { command: 'touch x' } }]);
    expect(ofType(talk.events, 'tool-end')).toMatchObject([{ status: 'denied' }]);
  });

  test('read from the middle of a text, the whole message tells it', () => {
    const message = { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] };
    const drafts = draftsOf(droid, [
      notice({ type: 'assistant_text_complete', messageId: 'm', blockIndex: 0 }),
      notice({ type: 'create_message', message }),
    ]);
    expect(ofType(drafts, 'text-end')).toMatchObject([{ text: 'Hello.' }]);
  });

  test('several calls in one question are no tool that a rule could know', () => {
    const talk = begun();
    talk.hear(ask(execute, { id: 'd', name: 'Edit', input: { file_path: '/a' } }));
    expect(ofType(talk.events, 'approval-request')).toMatchObject([
      { toolName: 'Execute + Edit', toolKind: 'other', input: [{ name: 'Execute' }, { name: 'Edit' }] },
    ]);
  });

  test('questions are answered by their words', () => {
    const talk = begun();
    const questions = [{ index: 1, question: 'Which?', options: ['a', 'b'] }];
    talk.hear({
      ...envelope,
      type: 'request',
      id: 'q',
      method: 'droid.ask_user',
      params: { toolCallId: 'c', questions },
    });
    talk.act({ type: 'answer', id: 'q', by: 'person', answers: { 'Which?': 'b' } });
    expect(talk.sent.at(-1)).toMatchObject({
      id: 'q',
      result: { cancelled: false, answers: [{ index: 1, question: 'Which?', answer: 'b' }] },
    });
  });

  test('an interrupt answers what is asked and ends the turn', () => {
    const talk = begun();
    talk.hear(said);
    talk.hear(ask(execute));
    talk.act({ type: 'interrupt' });
    talk.hear(completed('cancelled'));
    expect(talk.sent.slice(-2).map(({ method, result }) => method ?? result)).toEqual([
      { selectedOption: 'cancel' },
      'droid.interrupt_session',
    ]);
    expect(ofType(talk.events, 'approval-withdraw')).toMatchObject([{ why: 'interrupt' }]);
    expect(ofType(talk.events, 'turn-end')).toMatchObject([{ outcome: 'interrupted' }]);
    expect(talk.protocol.idle()).toBe(true);
  });

  test('it is idle only when what was said is answered', () => {
    const talk = begun();
    expect(talk.protocol.idle()).toBe(false);
    talk.hear(said);
    talk.hear(completed('completed'));
    expect(talk.protocol.idle()).toBe(true);
    talk.act({ type: 'say', text: 'more' });
    expect(talk.protocol.idle()).toBe(false);
    talk.hear(said);
    talk.hear(completed('completed'));
    expect(ofType(talk.events, 'turn-end')).toHaveLength(2);
  });

  test('a session that cannot be opened is a failed turn, also when the answer has no id', () => {
    const talk = converse(droid, requestFor({ mode: 'conversation', prompt: 'go' }));
    talk.start();
    talk.hear({ ...envelope, type: 'response', id: null, error: { code: -32600, message: 'Invalid request format' } });
    expect(ofType(talk.events, 'turn-end')).toMatchObject([{ outcome: 'failed' }]);
    expect(talk.protocol.idle()).toBe(true);
  });

  test('a fork is refused before anything is sent', () => {
    const talk = converse(droid, requestFor({ mode: 'conversation', prompt: 'go', resume: 'a', fork: true }));
    talk.start();
    expect(talk.sent).toEqual([]);
    expect(ofType(talk.events, 'turn-end')).toMatchObject([{ outcome: 'failed', error: { category: 'config' } }]);
  });
});

test('a call that is the first thing said begins the turn', () => {
  const types = draftsOf(droid, [init, ...call('Read', {}, { value: 'x' })]).map(({ type }) => type);
  expect(types.indexOf('turn-start')).toBeGreaterThanOrEqual(0);
  expect(types.indexOf('turn-start')).toBeLessThan(types.indexOf('tool-start'));
});
