import { describe, expect, test } from 'vitest';
import type { Action, CommandRequest } from '../../../src/agent/index.js';
import { pi } from '../../../src/agent/pi/index.js';
import { converse, draftsOf, ofType, requestFor } from '../drive.js';

const session = { type: 'session', version: 3, id: 's1', cwd: '/repo' };
const begin = [{ type: 'agent_start' }, { type: 'turn_start' }];
const usage = { input: 10, output: 2, cacheRead: 5, cacheWrite: 0, cost: { total: 0.001 } };
const none = { input: 0, output: 0, cost: { total: 0 } };
const assistant = (content: object[], more: object = {}) => ({
  role: 'assistant',
  model: 'm',
  content,
  usage,
  stopReason: 'stop',
  ...more,
});
const said = (message: object) => [
  { type: 'message_start', message },
  { type: 'message_end', message },
];
const text = (words: string) => assistant([{ type: 'text', text: words }]);
const failure = (errorMessage: string) => assistant([], { stopReason: 'error', usage: none, errorMessage });
const grow = (event: object) => ({ type: 'message_update', assistantMessageEvent: event });
const end = { type: 'agent_end', messages: [] };

const read = (...values: unknown[]) => draftsOf(pi, [session, ...begin, ...values]);
const toolRun = (result: object, isError = false, name = 'bash', args: object = { command: 'x' }) =>
  read(
    { type: 'tool_execution_start', toolCallId: 't1', toolName: name, args },
    { type: 'tool_execution_end', toolCallId: 't1', toolName: name, result, isError },
  );
const content = (words: string) => ({ content: [{ type: 'text', text: words }] });

describe('the result is in the last message, never in the exit status', () => {
  test.each<[string, object, object]>([
    [
      'stop',
      text('Hi.'),
      {
        outcome: 'success',
        text: 'Hi.',
        usage: { inputTokens: 10, outputTokens: 2 },
        cost: { usd: 0.001, scope: 'turn', origin: 'reported' },
      },
    ],
    [
      'error',
      failure('401 Incorrect API key provided'),
      { outcome: 'failed', error: { category: 'auth', httpStatus: 401 } },
    ],
    ['aborted', assistant([], { stopReason: 'aborted' }), { outcome: 'interrupted' }],
    ['length', assistant([], { stopReason: 'length' }), { outcome: 'failed', error: { category: 'max-output' } }],
  ])('%s', (_, message, expected) => {
    expect(ofType(read(...said(message), end), 'turn-end')).toMatchObject([expected]);
  });

  test('an end that is followed by a retry was none: the turn goes on', () => {
    const retry = {
      type: 'auto_retry_start',
      attempt: 1,
      maxAttempts: 3,
      delayMs: 2000,
      errorMessage: '500 The server had an error',
    };
    const drafts = read(
      ...said(failure('500 The server had an error')),
      end,
      retry,
      ...begin,
      ...said(text('Hi.')),
      end,
    );
    expect(ofType(drafts, 'retry')).toMatchObject([{ attempt: 1, maxAttempts: 3, delayMs: 2000, httpStatus: 500 }]);
    expect(ofType(drafts, 'turn-start')).toHaveLength(1);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
    expect(ofType(drafts, 'agent-error')).toEqual([]);
  });

  test('an overflow compacts and goes on in the same turn', () => {
    const drafts = read(
      ...said(failure('prompt is too long')),
      end,
      { type: 'compaction_start', reason: 'overflow' },
      { type: 'compaction_end', reason: 'overflow', result: { tokensBefore: 9 }, willRetry: true },
      ...begin,
      ...said(text('Hi.')),
      end,
    );
    expect(ofType(drafts, 'compaction-end')).toMatchObject([{ trigger: 'overflow', tokensBefore: 9 }]);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
  });

  test('what a broken stream said is taken back by the retry', () => {
    const drafts = read(
      { type: 'message_start', message: text('') },
      grow({ type: 'text_delta', contentIndex: 0, delta: 'Hal' }),
      { type: 'message_end', message: { ...failure('terminated'), content: [{ type: 'text', text: 'Hal' }] } },
      end,
      { type: 'auto_retry_start', attempt: 1 },
    );
    expect(ofType(drafts, 'text-end')).toMatchObject([{ text: 'Hal', partial: true }]);
    expect(ofType(drafts, 'message-retract')).toMatchObject([{ messageId: 'message-1', why: 'stream-broken' }]);
  });
});

describe('messages', () => {
  test('only the delta counts: the message that is repeated with it may already be further', () => {
    const partial = { content: [{ type: 'text', text: 'Hello there' }] };
    const drafts = read(
      { type: 'message_start', message: text('') },
      grow({ type: 'text_start', contentIndex: 0, partial }),
      grow({ type: 'text_delta', contentIndex: 0, delta: 'Hel', partial }),
      grow({ type: 'text_delta', contentIndex: 0, delta: 'lo', partial }),
      grow({ type: 'text_end', contentIndex: 0, content: 'Hello', partial }),
      { type: 'message_end', message: text('Hello') },
    );
    expect(ofType(drafts, 'text-delta').map((delta) => delta.text)).toEqual(['Hel', 'lo']);
    expect(ofType(drafts, 'text-end')).toMatchObject([{ text: 'Hello' }]);
  });

  test('a call is announced while its arguments stream', () => {
    const partial = { content: [{ type: 'toolCall', id: 't1', name: 'bash' }] };
    const drafts = read(
      { type: 'message_start', message: text('') },
      grow({ type: 'toolcall_start', contentIndex: 0, partial }),
      grow({ type: 'toolcall_delta', contentIndex: 0, delta: '{"comm', partial }),
      grow({
        type: 'toolcall_end',
        contentIndex: 0,
        toolCall: { id: 't1', name: 'bash', arguments: { command: 'ls' } },
      }),
    );
    expect(drafts.filter(({ type }) => type.startsWith('tool-')).map(({ type }) => type)).toEqual([
      'tool-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-end',
    ]);
  });

  test('the results that are repeated as messages are not said twice', () => {
    const drafts = read(...said({ role: 'toolResult', toolCallId: 't1', content: [{ type: 'text', text: 'x' }] }));
    expect(ofType(drafts, 'message-start')).toEqual([]);
  });
});

describe('tools', () => {
  test('output is the whole so far and is told as what is new', () => {
    const update = (words: string) => ({
      type: 'tool_execution_update',
      toolCallId: 't1',
      partialResult: content(words),
    });
    const drafts = read(
      { type: 'tool_execution_start', toolCallId: 't1', toolName: 'bash', args: {} },
      update('a\n'),
      update('a\nb\n'),
    );
    expect(ofType(drafts, 'tool-output-delta').map((delta) => delta.text)).toEqual(['a\n', 'b\n']);
  });

  test.each<[string, object, boolean, object]>([
    [
      'the exit code is in the words',
      content('x\n\nCommand exited with code 3'),
      true,
      { status: 'failed', exitCode: 3 },
    ],
    ['a command that worked', content('x'), false, { status: 'ok', exitCode: 0 }],
    ['a timeout has no exit code', content('Command timed out after 1 seconds'), true, { status: 'failed' }],
  ])('%s', (_, result, isError, expected) => {
    expect(ofType(toolRun(result, isError), 'tool-end')).toMatchObject([expected]);
  });

  test('a numbered diff becomes hunks', () => {
    const diff = ' 1 # demo\n 2 \n-3 hello\n+3 HELLO\n ...\n  9 x\n-10 y\n';
    const drafts = toolRun({ content: [], details: { diff } }, false, 'edit', { path: 'README.md' });
    expect(ofType(drafts, 'file-change')).toMatchObject([
      {
        path: 'README.md',
        kind: 'edit',
        diff: '@@ -1,3 +1,3 @@\n # demo\n \n-hello\n+HELLO\n@@ -9,2 +9,1 @@\n x\n-y\n',
      },
    ]);
  });

  test('a written file', () => {
    expect(ofType(toolRun(content('ok'), false, 'write', { path: 'a' }), 'file-change')).toMatchObject([
      { path: 'a', kind: 'create' },
    ]);
    expect(ofType(toolRun(content('no'), true, 'write', { path: 'a' }), 'file-change')).toEqual([]);
  });
});

describe('conversations', () => {
  const talkTo = (request: Partial<CommandRequest> = {}) => {
    const talk = converse(pi, requestFor({ mode: 'conversation', permission: 'ask', prompt: 'go', ...request }));
    talk.start();
    return talk;
  };
  const inTurn = () => {
    const talk = talkTo();
    for (const value of begin) talk.hear(value);
    talk.sent.length = 0;
    return talk;
  };
  const by = { by: 'person' } as const;

  test('the session is asked for, because the stream does not tell it', () => {
    const talk = talkTo();
    expect(talk.sent).toMatchObject([{ type: 'get_state' }, { type: 'prompt', message: 'go' }]);
    talk.hear({ type: 'response', command: 'get_state', success: true, data: { sessionId: 's1', model: { id: 'm' } } });
    expect(talk.events).toMatchObject([{ type: 'session-start', sessionId: 's1', model: 'm', cwd: '/repo' }]);
  });

  test('a failure is settled by asking, because without a retry nothing more is said', () => {
    const talk = inTurn();
    for (const value of [...said(failure('401 no')), end]) talk.hear(value);
    expect(talk.sent).toMatchObject([{ type: 'get_state' }]);
    expect(talk.protocol.idle()).toBe(false);
    talk.hear({ type: 'response', command: 'get_state', success: true, data: {} });
    expect(ofType(talk.events, 'turn-end')).toMatchObject([{ outcome: 'failed' }]);
    expect(talk.protocol.idle()).toBe(true);
  });

  test('nothing is idle between a prompt and its turn', () => {
    const talk = talkTo();
    talk.hear({ type: 'response', command: 'prompt', success: true });
    expect(talk.protocol.idle()).toBe(false);
    for (const value of [...begin, ...said(text('Hi.')), end]) talk.hear(value);
    expect(talk.protocol.idle()).toBe(true);
  });

  test('a prompt that is refused ends as failed', () => {
    const talk = talkTo();
    talk.hear({ type: 'response', command: 'prompt', success: false, error: 'No model selected' });
    expect(ofType(talk.events, 'turn-end')).toMatchObject([
      { outcome: 'failed', error: { message: 'No model selected' } },
    ]);
    expect(talk.protocol.idle()).toBe(true);
  });

  test('the gate is glassbox’s own: its question names the call, its answer may change it', () => {
    const gate = (id: string) => ({
      type: 'extension_ui_request',
      id,
      method: 'select',
      title: `glassbox-gate ${JSON.stringify({ id: 't1', name: 'bash', input: { command: 'ls' } })}`,
      options: ['allow', 'deny'],
    });
    const answerTo = (action: Action) => {
      const talk = inTurn();
      talk.hear(gate('q'));
      expect(ofType(talk.events, 'approval-request')).toMatchObject([
        {
          id: 'q',
          kind: 'tool',
          toolId: 't1',
          toolName: 'bash',
          toolKind: 'execute',
          input: { command: 'ls' },
          summary: 'ls',
        },
      ]);
      talk.act(action);
      expect(talk.sent[0]).toMatchObject({ type: 'extension_ui_response', id: 'q' });
      return JSON.parse(String(talk.sent[0]?.value));
    };
    expect(answerTo({ type: 'approve', id: 'q', ...by })).toEqual({ verdict: 'allow', remember: false });
    expect(answerTo({ type: 'approve', id: 'q', remember: true, input: { command: 'pwd' }, ...by })).toEqual({
      verdict: 'allow',
      remember: true,
      input: { command: 'pwd' },
    });
    expect(answerTo({ type: 'deny', id: 'q', message: 'not today', ...by })).toEqual({
      verdict: 'deny',
      reason: 'not today',
    });
  });

  test('the gate’s source is a module that lets free tools pass and blocks when nobody can be asked', async () => {
    const request = requestFor({ mode: 'conversation', permission: 'ask', disallowedTools: ['write'] });
    const [file] = pi.command(request).files ?? [];
    const source = `data:text/javascript,${encodeURIComponent(file?.text ?? '')}`;
    const { default: extend } = await import(/* @vite-ignore */ source);
    type Handler = (event: object, context: object) => Promise<unknown>;
    let handle: Handler = async () => 'never set';
    extend({ on: (_: string, handler: Handler) => (handle = handler) });
    const ask = (toolName: string, input: object, answer?: object) =>
      handle(
        { toolName, toolCallId: 't', input },
        { hasUI: answer !== undefined, ui: { select: async () => JSON.stringify(answer) } },
      );
    expect(await ask('read', {})).toBeUndefined();
    expect(await ask('bash', {})).toMatchObject({ block: true });
    expect(await ask('write', {}, { verdict: 'allow' })).toMatchObject({ block: true });
    expect(await ask('bash', {}, { verdict: 'deny', reason: 'no' })).toEqual({ block: true, reason: 'no' });
    const input = { command: 'ls' };
    expect(await ask('bash', input, { verdict: 'allow', input: { command: 'pwd' } })).toBeUndefined();
    expect(input).toEqual({ command: 'pwd' });
    expect(await ask('bash', {}, { verdict: 'allow', remember: true })).toBeUndefined();
    expect(await ask('bash', {})).toBeUndefined();
  });

  test.each<[string, object, Action, object]>([
    ['yes or no', { method: 'confirm', title: 'Run?' }, { type: 'approve', id: 'q', ...by }, { confirmed: true }],
    [
      'a choice',
      { method: 'select', title: 'Which?', options: ['A', 'B'] },
      { type: 'answer', id: 'q', answers: { 'Which?': 'B' }, ...by },
      { value: 'B' },
    ],
    [
      'free text',
      { method: 'input', title: 'Name?' },
      { type: 'answer', id: 'q', answers: { 'Name?': 'x' }, ...by },
      { value: 'x' },
    ],
    [
      'nothing',
      { method: 'input', title: 'Name?' },
      { type: 'deny', id: 'q', message: 'no', ...by },
      { cancelled: true },
    ],
  ])('somebody’s own extension asks for %s', (_, dialog, action, reply) => {
    const talk = inTurn();
    talk.hear({ type: 'extension_ui_request', id: 'q', ...dialog });
    talk.act(action);
    expect(talk.sent).toEqual([{ type: 'extension_ui_response', id: 'q', ...reply }]);
  });

  test('an abort does not close a dialog, so glassbox does', () => {
    const talk = inTurn();
    talk.hear({ type: 'tool_execution_start', toolCallId: 't1', toolName: 'bash', args: {} });
    talk.hear({ type: 'extension_ui_request', id: 'q', method: 'confirm', title: 'Run?' });
    talk.act({ type: 'interrupt' });
    expect(talk.sent).toMatchObject([{ type: 'abort' }, { type: 'extension_ui_response', id: 'q', cancelled: true }]);
    talk.hear({ type: 'tool_execution_end', toolCallId: 't1', toolName: 'bash', result: {}, isError: true });
    expect(ofType(talk.events, 'tool-end')).toMatchObject([{ status: 'cancelled' }]);
  });

  test.each([
    ['declined by the user', true, 'denied', 'deny'],
    ['cat: denied\n\nCommand exited with code 1', true, 'failed', 'allow'],
    ['done', false, 'ok', 'allow'],
  ])('in a recording the end of the call tells what was answered: %j', (words, isError, status, decision) => {
    const drafts = read(
      { type: 'tool_execution_start', toolCallId: 't1', toolName: 'bash', args: { command: 'x' } },
      { type: 'extension_ui_request', id: 'q', method: 'confirm', title: 'Run?' },
      { type: 'tool_execution_end', toolCallId: 't1', toolName: 'bash', result: content(words), isError },
    );
    expect(ofType(drafts, 'tool-end')).toMatchObject([{ status }]);
    expect(ofType(drafts, 'approval-resolve')).toMatchObject([{ id: 'q', decision }]);
  });

  test('what was spent before the stream was cut is told, as the least that it cost', () => {
    const drafts = read(
      ...said(assistant([{ type: 'toolCall', id: 't1', name: 'bash', arguments: {} }], { stopReason: 'toolUse' })),
    );
    expect(ofType(drafts, 'turn-end')).toMatchObject([
      { outcome: 'unknown', usage: { inputTokens: 10 }, cost: { usd: 0.001, origin: 'lower-bound' } },
    ]);
  });

  test('a command that was aborted did not fail', () => {
    expect(ofType(toolRun(content('started\n\nCommand aborted'), true), 'tool-end')).toMatchObject([
      { status: 'cancelled' },
    ]);
  });

  test('a model is named with its provider', () => {
    const talk = inTurn();
    talk.act({ type: 'set-model', model: 'openrouter/a/b' });
    expect(talk.sent).toMatchObject([{ type: 'set_model', provider: 'openrouter', modelId: 'a/b' }]);
    expect(talk.protocol.act({ type: 'set-model', model: 'b' })).toBe('unsupported');
    expect(talk.protocol.act({ type: 'set-permission', mode: 'x' })).toBe('unsupported');
  });
});

test.each([[{ type: 'hologram' }], [grow({ type: 'hologram_delta' })], [7], [null]])(
  '%j is unknown and harms nothing',
  (value) => {
    const drafts = read(value, ...said(text('Hi.')), end);
    expect(ofType(drafts, 'unknown')).toHaveLength(1);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
  },
);
