/** What `codex app-server` asks, and what it is answered. */
import { describe, expect, test } from 'vitest';
import { codex } from '../../../src/agent/codex/index.js';
import type { Action } from '../../../src/agent/index.js';
import { ofType } from '../drive.js';
import { completed, inTurn, notice, opened, started, turnStarted } from './app-server.js';

const ask = (method: string, params: object, id: unknown = 0) => ({
  id,
  method,
  params: { threadId: 't-1', ...params },
});

const by = { by: 'person' } as const;

describe('questions', () => {
  const amendment = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['touch'] } };
  const command = {
    itemId: 'c',
    command: `/bin/bash -lc 'touch x'`,
    availableDecisions: ['accept', amendment, 'cancel'],
  };
  const persist = { codex_approval_kind: 'mcp_tool_call', persist: ['session', 'always'], tool_params: { a: 1 } };
  const question = { id: 'q1', question: 'Which?', header: 'H', options: [{ label: 'A', description: 'a' }] };
  const yes: Action = { type: 'approve', id: '0', ...by };
  const always: Action = { type: 'approve', id: '0', remember: [0], ...by };
  const no: Action = { type: 'deny', id: '0', message: 'no', ...by };
  const stop: Action = { type: 'deny', id: '0', message: 'no', interrupt: true, ...by };
  const answer = (answers: Record<string, unknown>): Action => ({ type: 'answer', id: '0', answers, ...by });

  test.each<[string, string, object, Action, object]>([
    ['a command', 'item/commandExecution/requestApproval', command, yes, { decision: 'accept' }],
    ['a command for ever', 'item/commandExecution/requestApproval', command, always, { decision: amendment }],
    ['a command, no', 'item/commandExecution/requestApproval', command, no, { decision: 'decline' }],
    ['a command, no and stop', 'item/commandExecution/requestApproval', command, stop, { decision: 'cancel' }],
    [
      'a patch for the session',
      'item/fileChange/requestApproval',
      { itemId: 'f' },
      always,
      { decision: 'acceptForSession' },
    ],
    [
      'an MCP tool',
      'mcpServer/elicitation/request',
      { serverName: 's', _meta: persist },
      yes,
      { action: 'accept', content: {}, _meta: null },
    ],
    [
      'an MCP tool for ever',
      'mcpServer/elicitation/request',
      { serverName: 's', _meta: persist },
      always,
      { action: 'accept', content: {}, _meta: { persist: 'session' } },
    ],
    [
      'an MCP tool, no',
      'mcpServer/elicitation/request',
      { serverName: 's', _meta: persist },
      no,
      { action: 'decline', content: null, _meta: null },
    ],
    [
      'a form',
      'mcpServer/elicitation/request',
      { message: 'Name?' },
      answer({ name: 'x' }),
      { action: 'accept', content: { name: 'x' }, _meta: null },
    ],
    [
      'a question by its text',
      'item/tool/requestUserInput',
      { questions: [question] },
      answer({ 'Which?': 'A' }),
      { answers: { q1: { answers: ['A'] } } },
    ],
    ['a question left open', 'item/tool/requestUserInput', { questions: [question] }, no, { answers: {} }],
    [
      'permissions',
      'item/permissions/requestApproval',
      { permissions: { network: { enabled: true }, fileSystem: null } },
      yes,
      { permissions: { network: { enabled: true } }, scope: 'turn' },
    ],
    [
      'permissions, no',
      'item/permissions/requestApproval',
      { permissions: { network: { enabled: true } } },
      no,
      { permissions: {}, scope: 'turn' },
    ],
  ])('%s', (_, method, params, action, result) => {
    const talk = inTurn();
    // The first id of the server is 0, which is false in a careless reader.
    talk.hear(ask(method, params));
    expect(ofType(talk.events, 'approval-request')).toHaveLength(1);
    talk.act(action);
    expect(talk.sent).toEqual([{ id: 0, result }]);
    expect(ofType(talk.events, 'approval-resolve')).toMatchObject([{ id: '0', by: 'person' }]);
  });

  test('a command is asked about in the words of the model', () => {
    const talk = inTurn();
    talk.hear(ask('item/commandExecution/requestApproval', { ...command, reason: 'May I?' }));
    expect(ofType(talk.events, 'approval-request')).toMatchObject([
      {
        id: '0',
        kind: 'tool',
        toolId: 'c',
        toolName: 'Bash',
        toolKind: 'execute',
        command: 'touch x',
        commandAt: '/command',
        summary: 'touch x',
        reason: 'May I?',
        suggestions: [{ allows: 'command', what: ['touch *'], lasts: 'user', file: '~/.codex/rules/default.rules' }],
      },
    ]);
  });

  test.each([
    ['as it was taken apart, if it is one', [{ command: 'touch y' }], 'touch y'],
    ['as it is written, if it is several', [{ command: 'touch y' }, { command: 'ls' }], 'touch x'],
    ['as it is written, if it was not taken apart', [], 'touch x'],
  ])('a command is summed up %s', (_, commandActions, summary) => {
    const talk = inTurn();
    talk.hear(ask('item/commandExecution/requestApproval', { ...command, commandActions }));
    expect(ofType(talk.events, 'approval-request')).toMatchObject([{ summary, command: 'touch x' }]);
  });

  test('a patch is shown with the changes that were announced before', () => {
    const changes = [{ path: '/repo/a', kind: { type: 'add' }, diff: 'x\n' }];
    const talk = inTurn();
    talk.hear(started({ type: 'fileChange', id: 'f', changes }));
    talk.hear(ask('item/fileChange/requestApproval', { itemId: 'f' }));
    expect(ofType(talk.events, 'approval-request')).toMatchObject([
      { input: { changes }, summary: '/repo/a', toolName: 'Edit' },
    ]);
  });

  test.each([
    ['a move', { type: 'update', move_path: '/repo/b' }, '', { kind: 'move', path: '/repo/a', to: '/repo/b' }],
    [
      'a move with changes',
      { type: 'update', move_path: '/repo/b' },
      '@@',
      { kind: 'move', path: '/repo/a', to: '/repo/b', diff: { at: '/changes/0/diff' } },
    ],
    ['a change', { type: 'update' }, '@@', { kind: 'patch', path: '/repo/a', diff: { at: '/changes/0/diff' } }],
    ['a new file', { type: 'add' }, 'x', { kind: 'write', path: '/repo/a', after: { at: '/changes/0/diff' } }],
    ['a deletion', { type: 'delete' }, 'x', { kind: 'delete', path: '/repo/a' }],
  ])('a patch tells %s as such', (_, kind, diff, edit) => {
    const talk = inTurn();
    talk.hear(started({ type: 'fileChange', id: 'f', changes: [{ path: '/repo/a', kind, diff }] }));
    talk.hear(ask('item/fileChange/requestApproval', { itemId: 'f' }));
    expect(ofType(talk.events, 'approval-request')[0]?.edits).toEqual([edit]);
  });

  test('an MCP tool is asked about by the call that waits', () => {
    const talk = inTurn();
    talk.hear(started({ type: 'mcpToolCall', id: 'm', server: 's', tool: 'write' }));
    talk.hear(ask('mcpServer/elicitation/request', { serverName: 's', _meta: persist }));
    expect(ofType(talk.events, 'approval-request')).toMatchObject([
      { toolId: 'm', toolName: 'mcp__s__write', input: { a: 1 } },
    ]);
  });

  test('a question that the server settles itself is withdrawn', () => {
    const talk = inTurn();
    talk.hear(ask('item/commandExecution/requestApproval', command));
    talk.hear(notice('serverRequest/resolved', { requestId: 0 }));
    expect(ofType(talk.events, 'approval-withdraw')).toMatchObject([{ id: '0', why: 'agent' }]);
    talk.act(yes);
    expect(talk.sent).toEqual([]);
  });

  test.each([
    ['completed', 'allow'],
    ['declined', 'deny'],
  ])('in a recording the end of the call tells what the host answered: %s, %s', (status, decision) => {
    const protocol = codex.createProtocol();
    const events = [
      { id: 1, result: opened },
      turnStarted,
      started({ type: 'commandExecution', id: 'c', command: 'x' }),
      ask('item/commandExecution/requestApproval', { ...command, itemId: 'c' }),
      notice('serverRequest/resolved', { requestId: 0 }),
      completed({ type: 'commandExecution', id: 'c', command: 'x', status }),
      ask('item/tool/requestUserInput', { questions: [{ id: 'q', question: 'Which?' }] }, 1),
      notice('serverRequest/resolved', { requestId: 1 }),
    ].flatMap((value) => protocol.receive(value, 1).events);
    expect(ofType(events, 'approval-resolve')).toMatchObject([
      { id: '0', decision },
      // What was answered is nowhere in the stream.
      { id: '1', decision: 'unknown', by: 'unknown' },
    ]);
    expect(ofType(events, 'approval-withdraw')).toEqual([]);
  });

  test('a request that is no question to a person is refused, so that the turn goes on', () => {
    const talk = inTurn();
    talk.hear(ask('item/tool/call', {}, 'abc'));
    expect(talk.sent).toMatchObject([{ id: 'abc', error: { code: -32601 } }]);
    expect(ofType(talk.events, 'unknown')).toMatchObject([{ wireType: 'item/tool/call' }]);
  });
});

test('what a sub-agent in the background asks can be answered when the turn that started it is over', () => {
  const talk = inTurn();
  const spawn = { type: 'collabAgentToolCall', id: 'call', tool: 'spawnAgent', receiverThreadIds: ['child'] };
  talk.hear(started(spawn));
  talk.hear(completed({ ...spawn, status: 'completed' }));
  talk.hear(ask('item/commandExecution/requestApproval', { threadId: 'child', itemId: 'c', command: 'touch x' }, 7));
  talk.hear(notice('turn/completed', { turn: { status: 'completed' } }));
  talk.sent.length = 0;
  talk.act({ type: 'approve', id: '7', ...by });
  expect(talk.sent).toMatchObject([{ id: 7, result: { decision: 'accept' } }]);
});
