/** A rule about a path holds for every agent, however it names the files that it would touch. */
import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../src/event/index.js';
import type { Rule, RunRequest } from '../../src/run/index.js';
import { ask, init, result, type Step, say, toolUse } from '../fake-agent/lines.js';
import { play, readAll } from '../fake-agent/play.js';

const RULES: Rule[] = [
  { decision: 'deny', path: '**/.env' },
  { decision: 'allow', kind: 'edit' },
  { decision: 'allow', tool: '*' },
];

type Case = [title: string, request: Partial<RunRequest>, script: (file: string) => Step[]];

const cases: Case[] = [
  [
    'Claude Code: Edit',
    {},
    (file) => [
      init(),
      toolUse('t', 'Edit', edit(file)),
      ask('0', 't', 'Edit', edit(file)),
      { hear: '"request_id":"0"' },
      result('done'),
    ],
  ],
  [
    'Codex: a file change',
    { agent: 'codex' },
    (file) => codex({ path: file, kind: { type: 'update' }, diff: '@@ -1 +1 @@\n-a\n+b\n' }),
  ],
  [
    'Codex: a move onto it',
    { agent: 'codex' },
    (file) => codex({ path: 'harmless.txt', kind: { type: 'update', move_path: file }, diff: '@@ -1 +1 @@\n-a\n+b\n' }),
  ],
  ['Droid: ApplyPatch', { agent: 'droid' }, (file) => droid(use('ApplyPatch', { input: patchOf(file) }))],
  [
    'Droid: two calls in one question',
    { agent: 'droid' },
    (file) => droid(use('Execute', { command: 'ls' }), use('Edit', { file_path: file, old_str: 'a', new_str: 'b' })),
  ],
  ['ACP: locations only', { agent: 'acp' }, (file) => acp({ kind: 'edit', locations: [{ path: file }] })],
  [
    'ACP: a diff only',
    { agent: 'acp' },
    (file) => acp({ kind: 'edit', content: [{ type: 'diff', path: file, oldText: 'a', newText: 'b' }] }),
  ],
];

describe.each(cases)('%s', (_, request, script) => {
  it('is denied where it touches what is forbidden', async () => {
    expect(await decide(script('/srv/app/.env'), request)).toMatchObject({ by: 'rule', rule: 'deny path=**/.env' });
  });

  it('is allowed elsewhere', async () => {
    expect(await decide(script('/srv/app/a.txt'), request)).toMatchObject({ decision: 'allow', by: 'rule' });
  });
});

async function decide(script: Step[], request: Partial<RunRequest>): Promise<EventOf<'approval-resolve'> | undefined> {
  const events = await readAll(play(script, { ...request, rules: RULES, attended: false, permission: 'ask' }));
  return events.find((event) => event.type === 'approval-resolve');
}

const edit = (file: string) => ({ file_path: file, old_string: 'a', new_string: 'b' });
const patchOf = (file: string) => `*** Begin Patch\n*** Update File: ${file}\n@@\n-a\n+b\n*** End Patch`;

/** A turn of `codex app-server` with one file change that is asked about. */
function codex(change: object): Step[] {
  const item = { type: 'fileChange', id: 'c1', changes: [change], status: 'inProgress' };
  const tell = (method: string, params: object) => say({ method, params: { threadId: 'T', ...params } });
  return [
    { hear: '"initialize"' },
    say({ id: 1, result: {} }),
    { hear: 'thread/start' },
    say({ id: 2, result: { thread: { id: 'T' }, model: 'm' } }),
    { hear: 'turn/start' },
    say({ id: 3, result: {} }),
    tell('turn/started', { turn: { id: 'U' } }),
    tell('item/started', { item }),
    say({ id: 0, method: 'item/fileChange/requestApproval', params: { threadId: 'T', turnId: 'U', itemId: 'c1' } }),
    { hear: '"id":0' },
    tell('turn/completed', { turn: { id: 'U', status: 'completed' } }),
    { hearEnd: true },
  ];
}

const use = (name: string, input: object) => ({
  toolUse: { type: 'tool_use', id: `t-${name}`, name, input },
  details: {},
});

/** A turn of `droid exec` with one question about these calls. */
function droid(...toolUses: object[]): Step[] {
  const wear = (message: object) => say({ jsonrpc: '2.0', factoryApiVersion: '1.0.0', ...message });
  const notify = (notification: object) =>
    wear({ type: 'notification', method: 'droid.session_notification', params: { notification } });
  return [
    { hear: 'initialize_session' },
    wear({ type: 'response', id: '1', result: { sessionId: 'S' } }),
    { hear: 'add_user_message' },
    wear({ type: 'response', id: '2', result: {} }),
    notify({ type: 'create_message', message: { id: 'u', role: 'user', content: [{ type: 'text', text: 'go' }] } }),
    wear({ type: 'request', id: 'p', method: 'droid.request_permission', params: { toolUses, options: [] } }),
    { hear: 'selectedOption' },
    notify({ type: 'agent_turn_completed', reason: 'completed' }),
    { hearEnd: true },
  ];
}

/** A turn of an agent that speaks the Agent Client Protocol, with one question about this call. */
function acp(call: object): Step[] {
  const wear = (message: object) => say({ jsonrpc: '2.0', ...message });
  const options = [
    { optionId: 'yes', kind: 'allow_once' },
    { optionId: 'no', kind: 'reject_once' },
  ];
  return [
    { hear: '"initialize"' },
    wear({ id: 1, result: { protocolVersion: 1, agentCapabilities: {} } }),
    { hear: 'session/new' },
    wear({ id: 2, result: { sessionId: 's1' } }),
    { hear: 'session/prompt' },
    wear({
      id: 0,
      method: 'session/request_permission',
      params: { sessionId: 's1', toolCall: { toolCallId: 't1', title: 'Edit a file', ...call }, options },
    }),
    { hear: '"outcome"' },
    wear({ id: 3, result: { stopReason: 'end_turn' } }),
    { hearEnd: true },
  ];
}
