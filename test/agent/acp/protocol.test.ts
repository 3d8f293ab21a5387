import { describe, expect, test } from 'vitest';
import { createAcpProtocol } from '../../../src/agent/acp/protocol.js';
import type { Action, CommandRequest } from '../../../src/agent/index.js';
import { converseWith, ofType, requestFor } from '../drive.js';

const handshake = (sessionCapabilities: object = {}, loadSession = false) => ({
  protocolVersion: 1,
  agentCapabilities: { loadSession, sessionCapabilities },
  agentInfo: { name: 'any', version: '2.0' },
});
const answer = (id: number, result: object) => ({ jsonrpc: '2.0', id, result });
const update = (body: object, sessionId = 's1') => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId, update: body },
});
const chunk = (text: string, messageId?: string) =>
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId });
const call = (body: object) => update({ sessionUpdate: 'tool_call_update', toolCallId: 't1', ...body });
const options = [
  { optionId: 'yes', kind: 'allow_once' },
  { optionId: 'ever', kind: 'allow_always' },
  { optionId: 'no', kind: 'reject_once' },
];
const permission = (given: object[] = options) => ({
  jsonrpc: '2.0',
  id: 0,
  method: 'session/request_permission',
  params: {
    sessionId: 's1',
    toolCall: { toolCallId: 't1', kind: 'execute', title: 'ls', rawInput: { command: 'ls' } },
    options: given,
  },
});

function begin(request: Partial<CommandRequest> = {}, capabilities = handshake()) {
  const talk = converseWith(createAcpProtocol(requestFor({ mode: 'conversation', prompt: 'go', ...request })));
  talk.start();
  talk.hear(answer(1, capabilities));
  return talk;
}

function inTurn(request?: Partial<CommandRequest>) {
  const talk = begin(request);
  talk.hear(answer(2, { sessionId: 's1' }));
  talk.sent.length = 0;
  return talk;
}

test('says who it is, and that it keeps its hands off files and terminals', () => {
  const talk = converseWith(createAcpProtocol(requestFor({ mode: 'conversation', prompt: 'go' })));
  talk.start();
  expect(talk.sent).toMatchObject([
    {
      method: 'initialize',
      params: {
        protocolVersion: 1,
        clientCapabilities: {
          fs: { readTextFile: false, writeTextFile: false },
          terminal: false,
          elicitation: { form: {}, url: {} },
        },
        clientInfo: { name: 'glassbox', version: '1' },
      },
    },
  ]);
});

test('an agent that takes no pictures is not sent any, and who sends them hears what to do', () => {
  const talk = begin({ attachments: [{ name: 'a.png', mimeType: 'image/png', data: 'aGk=' }] as never });
  talk.hear(answer(2, { sessionId: 's1' }));
  expect(talk.sent.map(({ method }) => method)).not.toContain('session/prompt');
  expect(ofType(talk.events, 'agent-error')).toMatchObject([
    { category: 'config', message: 'This agent takes no pictures.', hint: 'Say it without them.' },
  ]);
});

describe('opening a session', () => {
  const can = { list: {}, fork: {}, resume: {} };

  test.each<[string, Partial<CommandRequest>, ReturnType<typeof handshake>, string]>([
    ['new', {}, handshake(), 'session/new'],
    ['resumed', { resume: 's0' }, handshake(can), 'session/resume'],
    ['loaded, when it cannot be resumed', { resume: 's0' }, handshake({}, true), 'session/load'],
    ['forked', { resume: 's0', fork: true }, handshake(can), 'session/fork'],
    ['the latest', { resume: 'latest' }, handshake(can), 'session/list'],
  ])('%s', (_, request, capabilities, method) => {
    expect(begin(request, capabilities).sent.at(-1)).toMatchObject({ jsonrpc: '2.0', method });
  });

  test.each<[string, Partial<CommandRequest>]>([
    ['resume', { resume: 's0' }],
    ['fork', { resume: 's0', fork: true }],
    ['find its latest', { resume: 'latest' }],
    ['take MCP servers but as JSON', { mcpConfig: 'mcp.json' }],
  ])('an agent that cannot %s says so, and nothing waits', (words, request) => {
    const talk = begin(request);
    expect(ofType(talk.events, 'turn-end')).toMatchObject([
      { outcome: 'failed', error: { message: expect.stringContaining(words) } },
    ]);
    expect(talk.protocol.idle()).toBe(true);
  });

  test('the latest session is the one that was used last', () => {
    const talk = begin({ resume: 'latest' }, handshake(can));
    const sessions = [
      { sessionId: 'old', updatedAt: '2026-01-01' },
      { sessionId: 'new', updatedAt: '2026-02-02' },
    ];
    talk.hear(answer(2, { sessions }));
    expect(talk.sent.at(-1)).toMatchObject({ method: 'session/resume', params: { sessionId: 'new' } });
  });

  test('a resume does not repeat its id, and its history is not news', () => {
    const talk = begin({ resume: 's0' }, handshake({}, true));
    talk.hear(update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'old' } }, 's0'));
    talk.hear(answer(2, {}));
    expect(talk.events[0]).toMatchObject({
      type: 'session-start',
      sessionId: 's0',
      resumed: true,
      agentVersion: '2.0',
    });
    expect(ofType(talk.events, 'text-delta')).toEqual([]);
  });

  test('a model is chosen by option or by its older request, a mode alike', () => {
    const option = (id: string, values: string[]) => ({
      id,
      category: id,
      currentValue: values[0],
      options: values.map((value) => ({ value })),
    });
    const newer = begin({ model: 'm2', permission: 'plan' });
    newer.hear(
      answer(2, { sessionId: 's1', configOptions: [option('model', ['m1']), option('mode', ['build', 'plan'])] }),
    );
    expect(newer.sent.slice(2).map(({ method, params }) => [method, (params as { value?: string }).value])).toEqual([
      ['session/set_config_option', 'm2'],
      ['session/set_config_option', 'plan'],
      ['session/prompt', undefined],
    ]);
    const older = begin({ model: 'm2', permission: 'plan' });
    older.hear(
      answer(2, { sessionId: 's1', models: { currentModelId: 'm1' }, modes: { availableModes: [{ id: 'plan' }] } }),
    );
    expect(older.sent.slice(2).map(({ method }) => method)).toEqual([
      'session/set_model',
      'session/set_mode',
      'session/prompt',
    ]);
    for (const [talk, method, model, mode] of [
      [newer, 'session/set_config_option', { configId: 'model', value: 'm3' }, { configId: 'mode', value: 'build' }],
      [older, 'session/set_', { modelId: 'm3' }, { modeId: 'build' }],
    ] as const) {
      talk.act({ type: 'set-model', model: 'm3' });
      talk.act({ type: 'set-permission', mode: 'build' });
      expect(talk.sent.slice(-2)).toMatchObject([
        { method: expect.stringContaining(method), params: { sessionId: 's1', ...model } },
        { method: expect.stringContaining(method), params: { sessionId: 's1', ...mode } },
      ]);
    }
  });

  test('MCP servers in the form of the protocol', () => {
    const mcpServers = {
      a: { command: 'node', args: ['x'], env: { K: 'v' } },
      b: { type: 'sse', url: 'http://x', headers: { H: '1' } },
    };
    expect(begin({ mcpConfig: JSON.stringify({ mcpServers }) }).sent.at(-1)?.params).toMatchObject({
      mcpServers: [
        { name: 'a', command: 'node', args: ['x'], env: [{ name: 'K', value: 'v' }] },
        { type: 'sse', name: 'b', url: 'http://x', headers: [{ name: 'H', value: '1' }] },
      ],
    });
  });
});

describe('speech', () => {
  test('chunks have no end: a message goes on until something else comes', () => {
    const talk = inTurn();
    for (const value of [chunk('Hel'), chunk('lo.'), call({ status: 'in_progress' }), chunk('More.')]) talk.hear(value);
    talk.hear(answer(3, { stopReason: 'end_turn' }));
    expect(ofType(talk.events, 'text-end').map(({ text }) => text)).toEqual(['Hello.', 'More.']);
    expect(ofType(talk.events, 'turn-end')).toMatchObject([{ outcome: 'success', text: 'More.' }]);
  });

  test('an id that comes back after a tool call is another message to us', () => {
    const talk = inTurn();
    for (const value of [chunk('a', 'm'), call({ status: 'completed' }), chunk('b', 'm')]) talk.hear(value);
    talk.hear(answer(3, { stopReason: 'end_turn' }));
    expect(ofType(talk.events, 'message-start')).toHaveLength(2);
  });

  test.each([
    ['end_turn', { outcome: 'success' }],
    ['cancelled', { outcome: 'interrupted' }],
    ['max_turn_requests', { outcome: 'max-turns' }],
    ['max_tokens', { outcome: 'failed', error: { category: 'max-output' } }],
    ['refusal', { outcome: 'failed', error: { category: 'refusal' } }],
    ['a word of tomorrow', { outcome: 'failed' }],
  ])('%s', (stopReason, end) => {
    const talk = inTurn();
    talk.hear(chunk('Hal'));
    talk.hear(answer(3, { stopReason }));
    expect(ofType(talk.events, 'turn-end')).toMatchObject([{ stopReason, ...end }]);
    expect(ofType(talk.events, 'text-end')[0]?.partial).toBe(stopReason === 'end_turn' ? undefined : true);
  });

  test('a failure of the model is an error on the prompt', () => {
    const talk = inTurn();
    talk.hear({
      jsonrpc: '2.0',
      id: 3,
      error: { code: -32603, message: 'Internal error: Incorrect API key provided' },
    });
    expect(ofType(talk.events, 'turn-end')).toMatchObject([{ outcome: 'failed', error: { category: 'auth' } }]);
    expect(talk.protocol.idle()).toBe(true);
  });

  test('what is said during a turn waits for its end', () => {
    const talk = inTurn();
    talk.act({ type: 'say', text: 'more' });
    expect(talk.sent).toEqual([]);
    expect(talk.protocol.idle()).toBe(false);
    talk.hear(answer(3, { stopReason: 'end_turn' }));
    expect(talk.sent).toMatchObject([{ method: 'session/prompt', params: { prompt: [{ text: 'more' }] } }]);
    expect(ofType(talk.events, 'user-message')).toMatchObject([
      { text: 'go', turn: 1 },
      { text: 'more', turn: 2 },
    ]);
  });
});

describe('tool calls', () => {
  const read = (...bodies: object[]) => {
    const talk = inTurn();
    talk.hear(
      update({ sessionUpdate: 'tool_call', toolCallId: 't1', kind: 'execute', title: 'Run ls', status: 'pending' }),
    );
    for (const body of bodies) talk.hear(call(body));
    return talk.events;
  };
  const text = (words: string) => [{ type: 'content', content: { type: 'text', text: words } }];

  test('output comes as a whole each time and is told as what is new', () => {
    const drafts = read(
      { status: 'in_progress', content: text('a\n') },
      { content: text('a\nb\n') },
      { content: text('else') },
    );
    expect(ofType(drafts, 'tool-output-delta').map((delta) => delta.text)).toEqual(['a\n', 'b\n']);
  });

  test('the input may grow while the call is pending', () => {
    const drafts = read(
      { status: 'pending', rawInput: { cwd: '/' } },
      { status: 'in_progress', rawInput: { command: 'ls' } },
    );
    expect(ofType(drafts, 'tool-input-end')).toMatchObject([{ input: { command: 'ls' }, summary: 'ls' }]);
  });

  test.each<[string, object, object]>([
    [
      'completed hides an exit code',
      { status: 'completed', rawOutput: { metadata: { exit: 3 } } },
      { status: 'failed', exitCode: 3 },
    ],
    ['completed', { status: 'completed', content: text('hi') }, { status: 'ok', output: 'hi' }],
    ['failed', { status: 'failed', rawOutput: { error: 'no' } }, { status: 'failed', output: 'no' }],
    [
      'with a picture',
      { status: 'completed', content: [{ type: 'content', content: { type: 'image', data: 'aGk=' } }] },
      { status: 'ok', output: '', attachments: [{ kind: 'image', data: 'aGk=' }] },
    ],
  ])('%s', (_, body, end) => {
    expect(ofType(read(body), 'tool-end')).toMatchObject([end]);
  });

  test('a changed file is told with a diff of what differs', () => {
    const diff = { type: 'diff', path: '/a', oldText: 'one\ntwo\n', newText: 'one\nTWO\n' };
    const drafts = read({
      status: 'completed',
      content: [diff, { type: 'diff', path: '/b', oldText: null, newText: 'x' }],
    });
    expect(ofType(drafts, 'file-change')).toMatchObject([
      { path: '/a', kind: 'edit', diff: '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n' },
      { path: '/b', kind: 'create' },
    ]);
  });
});

describe('questions', () => {
  const by = { id: '0', by: 'person' } as const;
  const selected = (optionId: string) => ({ outcome: { outcome: 'selected', optionId } });

  test.each<[string, Action, object, object[]?]>([
    ['yes', { type: 'approve', ...by }, selected('yes')],
    ['always', { type: 'approve', remember: [0], ...by }, selected('ever')],
    ['no', { type: 'deny', message: 'no', ...by }, selected('no')],
    [
      'always, where there is only once',
      { type: 'approve', remember: [0], ...by },
      selected('yes'),
      options.slice(0, 1),
    ],
    [
      'no, where there is no such choice',
      { type: 'deny', message: 'no', ...by },
      { outcome: { outcome: 'cancelled' } },
      options.slice(0, 1),
    ],
  ])('%s', (_, action, result, given) => {
    const talk = inTurn();
    talk.hear(permission(given));
    expect(ofType(talk.events, 'approval-request')).toMatchObject([
      { id: '0', toolId: 't1', toolName: 'Bash', summary: 'ls' },
    ]);
    talk.act(action);
    expect(talk.sent).toEqual([{ jsonrpc: '2.0', id: 0, result }]);
  });

  test('a refused call fails, and is told as denied', () => {
    const talk = inTurn();
    talk.hear(permission());
    talk.act({ type: 'deny', message: 'no', ...by });
    talk.hear(call({ status: 'failed' }));
    expect(ofType(talk.events, 'tool-end')).toMatchObject([{ status: 'denied' }]);
  });

  test('an interrupt answers what is asked, as the protocol demands; a command that it cuts is cancelled', () => {
    const talk = inTurn();
    talk.hear(permission());
    talk.act({ type: 'interrupt' });
    expect(talk.sent).toMatchObject([
      { method: 'session/cancel' },
      { id: 0, result: { outcome: { outcome: 'cancelled' } } },
    ]);
    expect(ofType(talk.events, 'approval-withdraw')).toMatchObject([{ id: '0', why: 'interrupt' }]);
    talk.hear(call({ status: 'completed', rawOutput: { output: 'User aborted the command' } }));
    expect(ofType(talk.events, 'tool-end')).toMatchObject([{ status: 'cancelled' }]);
  });

  test('a form', () => {
    const talk = inTurn();
    talk.hear({
      jsonrpc: '2.0',
      id: 'f',
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Name?', requestedSchema: {} },
    });
    talk.act({ type: 'answer', id: 'f', by: 'person', answers: { name: 'x' } });
    expect(talk.sent).toEqual([{ jsonrpc: '2.0', id: 'f', result: { action: 'accept', content: { name: 'x' } } }]);
  });

  test('files and terminals were not offered and are refused quietly, anything else aloud', () => {
    const talk = inTurn();
    for (const [id, method] of ['fs/write_text_file', 'terminal/create', 'x/y'].entries())
      talk.hear({ jsonrpc: '2.0', id, method, params: {} });
    expect(talk.sent.map(({ error }) => (error as { code: number }).code)).toEqual([-32601, -32601, -32601]);
    expect(ofType(talk.events, 'unknown')).toMatchObject([{ wireType: 'x/y' }]);
  });
});

test('plans, commands, modes and money', () => {
  const talk = inTurn();
  talk.hear(update({ sessionUpdate: 'plan', entries: [{ content: 'a', status: 'in_progress' }] }));
  talk.hear(update({ sessionUpdate: 'available_commands_update', availableCommands: [{ name: 'init' }] }));
  talk.hear(update({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' }));
  const configOptions = [
    { category: 'mode', currentValue: 'build' },
    { category: 'model', currentValue: 'm2' },
  ];
  talk.hear(update({ sessionUpdate: 'config_option_update', configOptions }));
  talk.hear(update({ sessionUpdate: 'config_option_update', configOptions: configOptions.slice(0, 1) }));
  talk.hear(update({ sessionUpdate: 'session_info_update', title: 'About it' }));
  talk.hear(update({ sessionUpdate: 'usage_update', used: 10, size: 100, cost: { amount: 0.5, currency: 'USD' } }));
  talk.hear(update({ sessionUpdate: 'hologram' }));
  talk.hear(answer(3, { stopReason: 'end_turn', usage: { inputTokens: 5, outputTokens: 2, thoughtTokens: 1 } }));
  expect(ofType(talk.events, 'todo-update')).toMatchObject([{ todos: [{ text: 'a', status: 'active' }] }]);
  expect(ofType(talk.events, 'session-update')).toMatchObject([
    { commands: ['init'] },
    { permissionMode: 'plan' },
    { model: 'm2' },
    { title: 'About it' },
  ]);
  expect(ofType(talk.events, 'usage-update')).toMatchObject([{ contextTokens: 10, contextLimit: 100 }]);
  expect(ofType(talk.events, 'unknown')).toMatchObject([{ wireType: 'session/update', wireSubtype: 'hologram' }]);
  expect(ofType(talk.events, 'turn-end')).toMatchObject([
    { usage: { inputTokens: 5, outputTokens: 3 }, cost: { usd: 0.5, scope: 'session', origin: 'reported' } },
  ]);
});

describe('an error that answers what somebody else asked', () => {
  const refused = (code: number) => ({ jsonrpc: '2.0', id: 7, error: { code, message: 'no' } });

  test.each<[string, number, unknown[], number]>([
    ['is no turn before there is a session', -32_603, [], 0],
    ...[-32_700, -32_600, -32_601, -32_602].map((code): [string, number, unknown[], number] => [
      `is no turn when the request was not understood (${code})`,
      code,
      [answer(1, { sessionId: 's1' })],
      0,
    ]),
    ['ends the turn of a prompt', -32_603, [answer(1, { sessionId: 's1' })], 1],
    ['ends the turn of a prompt, with a word of its own', -32_599, [answer(1, { sessionId: 's1' })], 1],
    ['ends the turn of a prompt, without a word', 0, [answer(1, { sessionId: 's1' })], 1],
  ])('%s', (_, code, before, turns) => {
    const talk = converseWith(createAcpProtocol());
    for (const value of [...before, refused(code)]) talk.hear(value);
    talk.end();
    expect(ofType(talk.events, 'turn-end')).toHaveLength(turns);
    expect(ofType(talk.events, 'agent-error')).toMatchObject([{ message: 'no', fatal: turns === 1 }]);
  });
});
