/** The control channel: what is asked, what is answered, and that each ask is settled once. */
import { describe, expect, test } from 'vitest';
import { claude } from '../../../src/agent/claude/index.js';
import type { Action } from '../../../src/agent/index.js';
import { assistant, init, only, receiveAll, recording, toolResult, toolUse, translate } from './translate.js';

const request = { mode: 'conversation', permission: 'ask', cwd: '/repo', deltas: true, prompt: 'go' } as const;
const input = { command: 'touch ok', secret: 'kept as it is' };
const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }];
const changes = { set: { '/command': 'ls' }, remove: ['/secret'] };
const ask = (body: Record<string, unknown>, id = 'ask-1') => ({
  type: 'control_request',
  request_id: id,
  request: {
    subtype: 'can_use_tool',
    tool_name: 'Bash',
    input,
    tool_use_id: 't',
    permission_suggestions: suggestions,
    ...body,
  },
});
const person = { id: 'ask-1', by: 'person' } as const;

function answer(asked: Record<string, unknown>, action: Action) {
  const protocol = claude.createProtocol(request);
  receiveAll(protocol, [init, assistant('m', toolUse('t', 'Bash', input)), asked]);
  const step = protocol.act(action);
  if (step === 'unsupported') throw new Error('unsupported');
  return { sent: step.send.map((line) => JSON.parse(line)), events: step.events, protocol };
}

test('S4-12 LL-03 a conversation begins with the handshake and the prompt, both at once', () => {
  const { send, events } = claude.createProtocol(request).start();
  expect(send.map((line) => JSON.parse(line))).toMatchObject([
    { type: 'control_request', request: { subtype: 'initialize' } },
    { type: 'user', message: { role: 'user', content: 'go' } },
  ]);
  expect(events).toMatchObject([{ type: 'user-message', text: 'go', turn: 1, source: 'synthetic' }]);
});

test('a one-shot sends nothing and takes no action', () => {
  const protocol = claude.createProtocol({ ...request, mode: 'one-shot' });
  expect(protocol.start().send).toEqual([]);
  expect(protocol.act({ type: 'interrupt' })).toBe('unsupported');
});

describe('answers', () => {
  const envelope = (response: unknown) => [
    { type: 'control_response', response: { subtype: 'success', request_id: 'ask-1', response } },
  ];

  test.each<[string, Record<string, unknown>, Action, unknown, Record<string, unknown>]>([
    [
      'S4-13 LL-04 allow echoes the input',
      {},
      { type: 'approve', ...person },
      { behavior: 'allow', updatedInput: input },
      { decision: 'allow' },
    ],
    [
      'allow with changed input',
      {},
      { type: 'approve', ...person, changes, input: { command: 'ls' } },
      { behavior: 'allow', updatedInput: { command: 'ls' } },
      { decision: 'allow', changes },
    ],
    [
      "always sends the agent's own suggestions back",
      {},
      { type: 'approve', ...person, remember: [0] },
      { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions },
      { decision: 'allow-always', remembered: [{ allows: 'mode', what: ['accept-edits'], lasts: 'session' }] },
    ],
    [
      'deny',
      {},
      { type: 'deny', ...person, message: 'wrong directory' },
      { behavior: 'deny', message: 'wrong directory', interrupt: false },
      { decision: 'deny', message: 'wrong directory' },
    ],
    [
      'deny and end the turn',
      {},
      { type: 'deny', ...person, message: 'stop', interrupt: true },
      { behavior: 'deny', message: 'stop', interrupt: true },
      { decision: 'deny' },
    ],
    [
      'R-19 a question',
      { tool_name: 'AskUserQuestion', input: { questions: [] } },
      { type: 'answer', ...person, answers: { 'Which color?': 'Blue' } },
      { behavior: 'allow', updatedInput: { questions: [], answers: { 'Which color?': 'Blue' } } },
      { decision: 'answer', answers: { 'Which color?': 'Blue' } },
    ],
    [
      'an elicitation',
      { subtype: 'elicitation', message: 'Your name?' },
      { type: 'answer', ...person, answers: { name: 'Bob' } },
      { action: 'accept', content: { name: 'Bob' } },
      { decision: 'answer' },
    ],
    [
      'a declined elicitation',
      { subtype: 'elicitation' },
      { type: 'deny', ...person, message: 'no' },
      { action: 'decline' },
      { decision: 'deny' },
    ],
    [
      'S4-08 a hook',
      { subtype: 'hook_callback', input: { hook_event_name: 'Stop' } },
      { type: 'approve', ...person },
      {},
      { decision: 'allow' },
    ],
    [
      'a refused hook before a tool',
      { subtype: 'hook_callback', input: { hook_event_name: 'PreToolUse' } },
      { type: 'deny', ...person, message: 'no' },
      {
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
      },
      { decision: 'deny' },
    ],
  ])('%s', (_, asked, action, body, resolved) => {
    const { sent, events } = answer(ask(asked), action);
    expect(sent).toEqual(envelope(body));
    expect(events).toMatchObject([{ type: 'approval-resolve', id: 'ask-1', by: 'person', ...resolved }]);
  });

  test('LL-33 an ask is answered once only', () => {
    const { protocol } = answer(ask({}), { type: 'approve', ...person });
    expect(protocol.act({ type: 'deny', ...person, message: 'late' })).toEqual({ events: [], send: [] });
  });

  test('LL-33 several asks wait side by side', () => {
    const protocol = claude.createProtocol(request);
    receiveAll(protocol, [init, ask({}, 'a'), ask({}, 'b')]);
    expect(protocol.act({ type: 'approve', id: 'b', by: 'person' })).toMatchObject({ events: [{ id: 'b' }] });
    expect(protocol.idle()).toBe(false);
    expect(only(protocol.end().events, 'approval-withdraw')).toMatchObject([{ id: 'a', why: 'exit' }]);
  });

  test('a denied tool ends as denied, whatever its result says', () => {
    const { protocol } = answer(ask({}), { type: 'deny', ...person, message: 'no' });
    const after = receiveAll(protocol, [toolResult('t', 'no', { is_error: true })]);
    expect(only(after, 'tool-end')).toMatchObject([{ status: 'denied' }]);
  });
});

test('an ask names its rule when a rule decided', () => {
  const { events } = answer(ask({}), { type: 'approve', id: 'ask-1', by: 'rule', rule: 'allow Bash(touch *)' });
  expect(events).toMatchObject([{ by: 'rule', rule: 'allow Bash(touch *)' }]);
});

test('unknown control requests are answered with an error', () => {
  const protocol = claude.createProtocol(request);
  const { send, events } = protocol.receive(ask({ subtype: 'teleport' }), 10);
  expect(send.map((line) => JSON.parse(line))).toMatchObject([
    { response: { subtype: 'error', request_id: 'ask-1', error: expect.stringContaining('teleport') } },
  ]);
  expect(events).toMatchObject([{ type: 'unknown', wireType: 'control_request', wireSubtype: 'teleport' }]);
});

test('the agent may ask before it answers the handshake', () => {
  const protocol = claude.createProtocol(request);
  protocol.start();
  expect(only(protocol.receive(ask({}), 10).events, 'approval-request')).toHaveLength(1);
});

test('LL-35 interrupt, mode and model are control requests with ids of their own', () => {
  const protocol = claude.createProtocol(request);
  const actions: Action[] = [
    { type: 'interrupt' },
    { type: 'set-permission', mode: 'plan' },
    { type: 'set-model', model: 'm' },
  ];
  const sent = actions.map((action) => {
    const step = protocol.act(action);
    return step === 'unsupported' ? undefined : JSON.parse(step.send[0] ?? '');
  });
  expect(sent.map((line) => line.request)).toEqual([
    { subtype: 'interrupt' },
    { subtype: 'set_permission_mode', mode: 'plan' },
    { subtype: 'set_model', model: 'm' },
  ]);
  expect(new Set(sent.map((line) => line.request_id)).size).toBe(3);
});

describe('reading what somebody else answered', () => {
  test.each([
    ['stdio-allow', 'allow'],
    ['v1.0.128-stdio-allow', 'allow'],
    ['v2.0.1-stdio-deny', 'deny'],
    ['ask-user-question', 'answer'],
  ])('%s is concluded as %s', (name, decision) => {
    expect(only(translate(recording(name)), 'approval-resolve')).toMatchObject([{ decision, source: 'synthetic' }]);
  });

  test('a withdrawn ask is withdrawn', () => {
    expect(only(translate(recording('stdio-interrupt-pending-ask')), 'approval-withdraw')).toMatchObject([
      { why: 'agent' },
    ]);
  });
});

test('a hook is asked with the call that it is about', () => {
  const hook = {
    subtype: 'hook_callback',
    input: { hook_event_name: 'PreToolUse', tool_use_id: 't', tool_name: 'Bash' },
  };
  const drafts = translate([init, assistant('m', toolUse('t', 'Bash', input)), { ...ask({}), request: hook }], request);
  expect(only(drafts, 'approval-request')).toMatchObject([{ kind: 'hook', toolId: 't', toolName: 'Bash' }]);
});
