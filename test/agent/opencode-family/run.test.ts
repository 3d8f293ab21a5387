import { describe, expect, test } from 'vitest';
import type { CommandRequest } from '../../../src/agent/index.js';
import { opencode } from '../../../src/agent/opencode/index.js';
import { draftsOf, ofType, requestFor } from '../drive.js';

const line = (type: string, part: object, more: object = {}) => ({
  type,
  timestamp: 1,
  sessionID: 'ses_1',
  part,
  ...more,
});
const started = (messageID = 'm1') => line('step_start', { messageID, type: 'step-start' });
const finished = (
  reason: string,
  messageID = 'm1',
  tokens: object = { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 0 } },
) => line('step_finish', { messageID, reason, tokens, cost: 0.001 });
const said = (text: string, messageID = 'm1', more: object = {}) =>
  line('text', { id: `p-${text}`, messageID, text, ...more });
const tool = (name: string, state: object, callID = 'c1') =>
  line('tool_use', { messageID: 'm1', tool: name, callID, state });
const failed = (error: unknown) => ({ type: 'error', timestamp: 1, sessionID: 'ses_1', error });

const read = (values: unknown[], request?: Partial<CommandRequest>) => draftsOf(opencode, values, request);
const turnEnd = (...values: unknown[]) => ofType(read(values), 'turn-end')[0];
const toolEnd = (name: string, state: object) =>
  ofType(read([started(), tool(name, state), finished('tool-calls')]), 'tool-end')[0];

describe('there is no result line: the end of the process is the result', () => {
  test.each<[string, unknown[], object]>([
    ['stop is success', [started(), said('Hi.'), finished('stop')], { outcome: 'success', text: 'Hi.', steps: 1 }],
    ['an empty answer is success too', [started(), finished('stop')], { outcome: 'success' }],
    [
      'length is a cut answer',
      [started(), said('Hi'), finished('length')],
      { outcome: 'failed', error: { category: 'max-output' } },
    ],
    [
      'a filtered answer',
      [started(), finished('content-filter')],
      { outcome: 'failed', error: { category: 'refusal' } },
    ],
    ['killed in a step', [started(), said('Hi.')], { outcome: 'unknown', source: 'synthetic' }],
    ['killed between steps', [started(), finished('tool-calls')], { outcome: 'unknown' }],
    [
      'a broken stream that was tried again',
      [started(), started('m2'), said('Hi.', 'm2'), finished('stop', 'm2')],
      { outcome: 'success' },
    ],
  ])('%s', (_, values, end) => {
    expect(turnEnd(...values)).toMatchObject(end);
  });

  test('a refused permission ends the run without a word and with exit status 0', () => {
    const refusal = {
      status: 'error',
      input: {},
      error: 'The user rejected permission to use this specific tool call.',
    };
    const drafts = read([started(), tool('bash', refusal), finished('tool-calls')]);
    expect(ofType(drafts, 'permission-deny')).toMatchObject([{ toolName: 'bash', toolId: 'c1' }]);
    expect(ofType(drafts, 'tool-end')).toMatchObject([{ status: 'denied' }]);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'failed', denials: [{ toolName: 'bash' }] }]);
  });
});

test('what a server’s tool says of permissions is no refusal', () => {
  const failure = { status: 'error', input: {}, error: 'MCP error -32603: the user rejected permission in CRM' };
  const drafts = read([started(), tool('crm_add', failure), finished('tool-calls')]);
  expect(ofType(drafts, 'permission-deny')).toEqual([]);
  expect(ofType(drafts, 'tool-end')).toMatchObject([{ status: 'failed' }]);
});

describe('errors', () => {
  const api = (statusCode: number, message: string) => failed({ name: 'APIError', data: { message, statusCode } });

  test('an error is fatal when nothing follows', () => {
    const drafts = read([api(401, 'Incorrect API key provided')]);
    expect(ofType(drafts, 'agent-error')).toMatchObject([{ fatal: true, category: 'auth', httpStatus: 401 }]);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'failed', error: { category: 'auth' } }]);
  });

  test('an error that is followed by a compaction and an answer was none', () => {
    const drafts = read([api(400, 'maximum context length'), started(), said('Hi.'), finished('stop')]);
    expect(ofType(drafts, 'agent-error')).toMatchObject([{ fatal: false, category: 'context-limit' }]);
    expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'success' }]);
  });

  test('a text instead of an object, as Kilo writes it', () => {
    expect(turnEnd(failed('run ended'))).toMatchObject({ outcome: 'failed', error: { message: 'run ended' } });
  });

  test('an abort is an interrupt', () => {
    expect(turnEnd(started(), failed({ name: 'MessageAbortedError', data: {} }))).toMatchObject({
      outcome: 'interrupted',
    });
  });
});

describe('tools are printed only when they have ended', () => {
  test.each<[string, string, object, object]>([
    [
      'a failing command is completed',
      'bash',
      { status: 'completed', metadata: { exit: 3 } },
      { status: 'failed', exitCode: 3 },
    ],
    [
      'a command that ran out of time has no exit code',
      'bash',
      { status: 'completed', metadata: { exit: null } },
      { status: 'failed' },
    ],
    [
      'a command that worked',
      'bash',
      { status: 'completed', output: 'hi', metadata: { exit: 0 } },
      { status: 'ok', output: 'hi', exitCode: 0 },
    ],
    [
      'an unknown tool completes as invalid',
      'invalid',
      { status: 'completed', input: { tool: 'nope' } },
      { status: 'failed', name: 'nope' },
    ],
    [
      'a rule refuses',
      'bash',
      { status: 'error', error: 'The user has specified a rule which prevents you' },
      { status: 'denied' },
    ],
    ['a status of tomorrow', 'bash', { status: 'paused' }, { status: 'unknown' }],
    ['how long it took', 'read', { status: 'completed', time: { start: 10, end: 35 } }, { durationMs: 25 }],
  ])('%s', (_, name, state, end) => {
    expect(toolEnd(name, state)).toMatchObject(end);
  });

  test.each<[string, string, object, object]>([
    [
      'a new file',
      'write',
      { metadata: { filepath: '/a', exists: false }, input: { content: 'x\n' } },
      { path: '/a', kind: 'create', diff: '@@ -0,0 +1,1 @@\n+x\n' },
    ],
    ['a file written over', 'write', { metadata: { filepath: '/a', exists: true } }, { kind: 'edit' }],
    [
      'an edit',
      'edit',
      { metadata: { diff: '@@ -1 +1 @@', filediff: { file: '/a' } } },
      { path: '/a', kind: 'edit', diff: '@@ -1 +1 @@' },
    ],
    [
      'a patch that moves',
      'apply_patch',
      { metadata: { files: [{ filePath: '/a', type: 'move', movePath: '/b' }] } },
      { path: '/a', kind: 'move', to: '/b' },
    ],
  ])('%s', (_, name, state, change) => {
    const drafts = read([started(), tool(name, { status: 'completed', input: {}, ...state })]);
    expect(ofType(drafts, 'file-change')).toMatchObject([{ toolId: 'c1', ...change }]);
  });

  test('a failed edit changed nothing', () => {
    const drafts = read([started(), tool('edit', { status: 'error', input: { filePath: '/a' }, error: 'no' })]);
    expect(ofType(drafts, 'file-change')).toEqual([]);
  });

  test('to-do items that were given up are no longer on the list', () => {
    const todos = [
      { content: 'a', status: 'completed' },
      { content: 'b', status: 'cancelled' },
      { content: 'c', status: 'in_progress' },
    ];
    const drafts = read([started(), tool('todowrite', { status: 'completed', metadata: { todos } })]);
    expect(ofType(drafts, 'todo-update')[0]?.todos).toEqual([
      { text: 'a', status: 'done' },
      { text: 'c', status: 'active' },
    ]);
  });

  test('a sub-agent is a task with a result', () => {
    const state = {
      status: 'completed',
      input: { description: 'Compute' },
      metadata: { sessionId: 'ses_2' },
      output: '<task_result>\n42\n</task_result>',
    };
    const drafts = read([started(), tool('task', state)]);
    expect(ofType(drafts, 'task-start')).toMatchObject([{ id: 'ses_2', toolId: 'c1', description: 'Compute' }]);
    expect(ofType(drafts, 'task-end')).toMatchObject([{ id: 'ses_2', status: 'ok', summary: '42' }]);
  });
});

describe('messages', () => {
  test('usage: input is without cached tokens, output without reasoning; steps add up', () => {
    const end = turnEnd(started(), finished('tool-calls'), started('m2'), finished('stop', 'm2'));
    expect(end?.usage).toEqual({
      inputTokens: 20,
      outputTokens: 6,
      thinkingTokens: 2,
      cacheReadTokens: 10,
      cacheWriteTokens: 0,
    });
    expect(end?.cost).toEqual({ usd: 0.002, scope: 'turn', origin: 'reported' });
  });

  test('a model whose price it does not know costs an unknown amount, not zero', () => {
    const step = { messageID: 'm1', reason: 'stop', tokens: { input: 10, output: 2 }, cost: 0 };
    expect(turnEnd(started(), line('step_finish', step))?.cost).toBeUndefined();
  });

  test('a text that is printed after the tool that followed it stays in its message', () => {
    const drafts = read([
      started(),
      tool('bash', { status: 'completed' }),
      said('I will run it.'),
      finished('tool-calls'),
    ]);
    expect(ofType(drafts, 'text-end')).toMatchObject([{ messageId: 'm1', text: 'I will run it.' }]);
  });

  test('a text that is printed after its step is a message of its own', () => {
    const drafts = read([started(), finished('stop'), said('late')]);
    expect(ofType(drafts, 'text-end')).toMatchObject([{ messageId: 'p-late', text: 'late' }]);
    expect(ofType(drafts, 'message-start')).toHaveLength(2);
  });

  test('what the program says to itself after a compaction is not the model', () => {
    const drafts = read([
      started(),
      said('Continue', 'm1', { synthetic: true, metadata: { compaction_continue: true } }),
    ]);
    expect(ofType(drafts, 'user-message')).toMatchObject([{ text: 'Continue', synthetic: true }]);
    expect(ofType(drafts, 'compaction-end')).toHaveLength(1);
    expect(ofType(drafts, 'text-end')).toEqual([]);
  });

  test('the session comes with the first line; a fork has a new id', () => {
    const drafts = read([started()], requestFor({ resume: 'ses_0', fork: true }));
    expect(drafts[0]).toMatchObject({ type: 'session-start', sessionId: 'ses_1', resumed: true });
    expect(ofType(drafts, 'session-change')).toMatchObject([{ previousId: 'ses_0', newId: 'ses_1', reason: 'fork' }]);
  });

  test.each([[{ type: 'hologram', timestamp: 1, sessionID: 'ses_1' }], [7], [null], [[]]])('%j is unknown', (value) => {
    expect(ofType(read([value, started(), finished('stop')]), 'unknown')).toHaveLength(1);
  });
});

describe('permissions', () => {
  const rules = (request: Partial<CommandRequest>) =>
    JSON.parse(opencode.command(requestFor(request)).env?.OPENCODE_PERMISSION ?? '{}');

  test.each<[string, Partial<CommandRequest>, object]>([
    ['nobody to ask: what does more than look is refused', {}, { '*': 'deny', glob: 'allow' }],
    ['asking', { permission: 'ask' }, { '*': 'ask', glob: 'allow' }],
    ['edits without asking', { permission: 'accept-edits', mode: 'conversation' }, { '*': 'ask', edit: 'allow' }],
    ['edits, and nobody to ask for the rest', { permission: 'accept-edits' }, { '*': 'deny', edit: 'allow' }],
    [
      'a plan changes nothing, even when somebody could be asked',
      { permission: 'plan', mode: 'conversation' },
      { '*': 'deny' },
    ],
  ])('%s', (_, request, expected) => {
    expect(rules(request)).toMatchObject(expected);
    expect(rules(request).read).toMatchObject({ '*': 'allow', '*.env': expect.not.stringMatching('allow') });
  });

  test('bypass allows all', () => {
    expect(rules({ permission: 'bypass' })).toEqual({ '*': 'allow' });
  });
});
