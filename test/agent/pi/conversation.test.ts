/** pi while it is spoken to: its session, the gate before its tools, dialogs, aborts. */
import { describe, expect, test } from 'vitest';
import type { Action, CommandRequest } from '../../../src/agent/index.js';
import { pi } from '../../../src/agent/pi/index.js';
import { converse, ofType, requestFor } from '../drive.js';
import { assistant, begin, content, end, failure, read, said, text, toolRun } from './lines.js';

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
          command: 'ls',
        },
      ]);
      talk.act(action);
      expect(talk.sent[0]).toMatchObject({ type: 'extension_ui_response', id: 'q' });
      return JSON.parse(String(talk.sent[0]?.value));
    };
    expect(answerTo({ type: 'approve', id: 'q', ...by })).toEqual({ verdict: 'allow', remember: false });
    expect(answerTo({ type: 'approve', id: 'q', remember: [0], input: { command: 'pwd' }, ...by })).toEqual({
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

  test.each([
    [undefined, 'info'],
    ['info', 'info'],
    ['warning', 'warning'],
    ['error', 'warning'],
  ])('what an extension only says is told (%s)', (notifyType, level) => {
    const talk = inTurn();
    talk.hear({ type: 'extension_ui_request', id: 'q', method: 'notify', message: 'Saved.', notifyType });
    expect(ofType(talk.events, 'status')).toMatchObject([{ code: 'notice', text: 'Saved.', level }]);
    expect(talk.sent).toEqual([]);
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
    ["EACCES: permission denied, open '/etc/x'", true, 'failed', 'unknown'],
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
