import { describe, expect, test } from 'vitest';
import { kimi } from '../../../src/agent/kimi/index.js';
import { acpHost } from '../acp/host.js';
import { converse, draftsOf, ofType, requestFor } from '../drive.js';
import { testAgent } from '../suite.js';

testAgent({
  agent: kimi,
  folders: ['kimi-code', 'kimi-acp', 'kimi-synthetic'],
  commands: [
    ['a conversation, whatever is asked', {}, 'acp', 'lines'],
    ['also where nobody is asked', { permission: 'bypass', model: 'm', resume: 'id-1' }, 'acp'],
    ['further arguments', { extraArgs: ['--debug'] }, 'acp --debug'],
  ],
  hosts: { 'kimi-acp': acpHost },
});

describe('permissions are modes of the session', () => {
  const modes = ['default', 'plan', 'auto', 'yolo'].map((id) => ({ id }));
  test.each([
    ['bypass', 'auto'],
    ['plan', 'plan'],
    ['ask', undefined],
    ['deny', undefined],
    ['accept-edits', undefined],
  ] as const)('%s: %s', (permission, mode) => {
    const talk = converse(kimi, requestFor({ permission, prompt: 'go' }));
    talk.start();
    talk.hear({ jsonrpc: '2.0', id: 1, result: { agentCapabilities: {}, agentInfo: { name: 'Kimi Code CLI' } } });
    const opened = { sessionId: 's', modes: { currentModeId: 'default', availableModes: modes } };
    talk.hear({ jsonrpc: '2.0', id: 2, result: opened });
    const set = talk.sent.find(({ method }) => method === 'session/set_mode')?.params;
    expect(set).toEqual(mode && { sessionId: 's', modeId: mode });
  });
});

const call = (id: string | undefined, name: string, args: object) => ({
  type: 'function',
  ...(id && { id }),
  function: { name, arguments: JSON.stringify(args) },
});
const assistant = (content: unknown, ...tool_calls: object[]) => ({ role: 'assistant', content, tool_calls });

describe('stream', () => {
  test('what the user said', () => {
    const events = draftsOf(kimi, [
      { role: 'user', content: 'Fix it' },
      { role: 'user', content: [7] },
      assistant('Yes.'),
    ]);
    expect(ofType(events, 'user-message').map(({ text }) => text)).toEqual(['Fix it', '']);
  });

  test('results find calls without an id in their order', () => {
    const events = draftsOf(kimi, [
      assistant('', call(undefined, 'Shell', { command: 'a' }), call(undefined, 'Shell', { command: 'b' })),
      { role: 'tool', tool_call_id: 'tc_1', content: 'A' },
      { role: 'tool', tool_call_id: 'tc_2', content: [{ type: 'text', text: 'B' }] },
      assistant('Done.'),
    ]);
    expect(ofType(events, 'tool-end').map(({ id, output }) => [id, output])).toEqual([
      ['message-1-call-1', 'A'],
      ['message-1-call-2', 'B'],
    ]);
  });

  test('results find calls with an id by it', () => {
    const events = draftsOf(kimi, [
      assistant('', call('x', 'WriteFile', { path: '/a' }), call('y', 'Shell', { command: 'b' })),
      { role: 'tool', tool_call_id: 'y', content: 'ERROR: no' },
      { role: 'tool', tool_call_id: 'x', content: 'ok' },
    ]);
    expect(ofType(events, 'tool-end').map(({ id, status }) => [id, status])).toEqual([
      ['y', 'failed'],
      ['x', 'ok'],
    ]);
    expect(ofType(events, 'file-change')).toMatchObject([{ toolId: 'x', path: '/a' }]);
  });

  test('thoughts are parts of a message', () => {
    const parts = [
      { type: 'think', think: 'Hm.' },
      { type: 'text', text: 'Yes.' },
    ];
    const events = draftsOf(kimi, [assistant(parts)]);
    expect(ofType(events, 'thinking-end')).toMatchObject([{ text: 'Hm.' }]);
    expect(ofType(events, 'text-end')).toMatchObject([{ text: 'Yes.' }]);
  });

  test.each([
    ['nothing more was asked for', [assistant('Done.')], ['success']],
    ['a call is open', [assistant('', call('x', 'Shell', {}))], ['unknown']],
    ['nothing was said', [], []],
  ])('there is no result: %s', (_, lines, outcomes) => {
    expect(ofType(draftsOf(kimi, lines), 'turn-end').map(({ outcome }) => outcome)).toEqual(outcomes);
  });
});

describe('the stream of Kimi Code', () => {
  const version = { role: 'meta', type: 'system.version', version: '2.1.0' };
  const hint = { role: 'meta', type: 'session.resume_hint', session_id: 'session_1', command: 'kimi -r session_1' };
  const read = (...lines: unknown[]) => draftsOf(kimi, [version, ...lines]);
  const result = (name: string, content: string, args: object = {}) =>
    ofType(
      read(assistant(undefined, call('c', name, args)), { role: 'tool', tool_call_id: 'c', content }, hint),
      'tool-end',
    )[0];

  test('its version, and its session, which is told at the end', () => {
    const events = read(assistant('Hi.'), hint);
    expect(ofType(events, 'session-start')).toMatchObject([{ agentVersion: '2.1.0' }]);
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'success', text: 'Hi.', sessionId: 'session_1' }]);
  });

  test('without the hint at the end nobody knows how it ended', () => {
    expect(ofType(read(assistant('Hi.')), 'turn-end')).toMatchObject([{ outcome: 'unknown' }]);
  });

  test('calls that are printed again while they wait are told once', () => {
    const [one, two] = [call('1', 'Bash', { command: 'a' }), call('2', 'Bash', { command: 'b' })];
    const events = read(
      assistant('Go.', one, two),
      { role: 'tool', tool_call_id: '1', content: 'A' },
      assistant(undefined, two),
      { role: 'tool', tool_call_id: '2', content: 'B' },
      hint,
    );
    expect(ofType(events, 'tool-start').map(({ id }) => id)).toEqual(['1', '2']);
    expect(ofType(events, 'message-start')).toHaveLength(1);
  });

  test.each<[string, string, object]>([
    ['Bash', 'out\nCommand failed with exit code: 3.', { status: 'failed', exitCode: 3 }],
    ['Bash', 'Command executed successfully.', { status: 'ok' }],
    ['Bash', 'so far\nInterrupted by user', { status: 'cancelled' }],
    ['Bash', 'Command killed by timeout (60s)', { status: 'failed' }],
    ['Bash', 'Tool "Bash" was denied by permission rule. Reason: no', { status: 'denied' }],
    ['Read', '1\t"a" does not exist.', { status: 'ok' }],
    ['Read', '"nope.txt" does not exist.', { status: 'failed' }],
    ['Write', 'Wrote 2 bytes to a', { status: 'ok' }],
    ['Write', 'EACCES: permission denied', { status: 'failed' }],
    ['Edit', 'Replaced 1 occurrence in a', { status: 'ok' }],
    ['Edit', 'old_string not found in a', { status: 'failed' }],
    ['Nope', 'Tool "Nope" not found', { status: 'failed' }],
    ['Bash', `Invalid args for tool "Bash": must have required property 'command'`, { status: 'failed' }],
  ])('%s: %s', (name, content, expected) => {
    expect(result(name, content)).toMatchObject(expected);
  });

  test('a file is changed only by a call that went well', () => {
    const changes = (content: string) =>
      ofType(
        read(assistant(undefined, call('c', 'Write', { path: 'a' })), { role: 'tool', tool_call_id: 'c', content }),
        'file-change',
      );
    expect(changes('Wrote 2 bytes to a')).toMatchObject([{ path: 'a', toolId: 'c' }]);
    expect(changes('EACCES')).toEqual([]);
  });

  test('a call of the model that is tried again', () => {
    const line = {
      role: 'meta',
      type: 'turn.step.retrying',
      failed_attempt: 1,
      next_attempt: 2,
      max_attempts: 3,
      delay_ms: 500,
      error_message: 'Rate limit',
      status_code: 429,
    };
    expect(ofType(read(line), 'retry')).toMatchObject([
      { attempt: 2, maxAttempts: 3, delayMs: 500, httpStatus: 429, why: 'Rate limit' },
    ]);
  });

  test('a goal that was not reached is a failure, although the session can be resumed', () => {
    const summary = { type: 'goal.summary', goalId: 'g', status: 'blocked', reason: 'no key' };
    expect(ofType(read(assistant('Hm.'), summary, hint), 'turn-end')).toMatchObject([
      { outcome: 'failed', error: { message: 'The goal is blocked: no key' } },
    ]);
  });
});
