/** Questions that hooks bring: asked like any other, answered once and exactly, and left to the agent on any doubt. */
import { existsSync, lstatSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/index.js';
import { payload, startHearing } from './hearing.js';

const BASH = 'PermissionRequest-Bash';
const decided = (decision: object) => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });

test('a question is one of the session that is followed, with the call that it is about', async () => {
  const { hook, seen, store, answer, runId } = await startHearing();
  hook(payload('PreToolUse'));
  const { answer: said } = hook(payload(BASH));
  const request = await seen('approval-request');
  expect(request).toMatchObject({
    kind: 'tool',
    toolName: 'Bash',
    toolId: 'toolu_324stub0',
    command: 'touch made.txt',
    directory: tmpdir(),
    turn: 1,
    source: 'hook',
    suggestions: [{ allows: 'directory' }, { allows: 'mode', what: ['accept-edits'] }],
  });
  expect(await store.approvals()).toMatchObject([{ runId, request: { id: request.id } }]);
  expect(await answer(request.id, { type: 'approve' })).toEqual({ outcome: 'done' });
  expect(await said).toEqual(decided({ behavior: 'allow' }));
  expect(await seen('approval-resolve')).toMatchObject({ decision: 'allow', by: 'person', who: 'ada', via: 'page' });
  expect(await store.approvals()).toEqual([]);
});

test.each([
  ['denied with a reason', BASH, { type: 'deny', message: 'not now' }, { behavior: 'deny', message: 'not now' }],
  [
    'denied, and the turn ends',
    BASH,
    { type: 'deny', message: 'no', interrupt: true },
    { behavior: 'deny', message: 'no', interrupt: true },
  ],
  [
    'allowed with another input',
    BASH,
    { type: 'approve', changes: { set: { '/command': 'touch other.txt' } } },
    { behavior: 'allow', updatedInput: { command: 'touch other.txt', description: 'Make a file' } },
  ],
  [
    'allowed for ever',
    BASH,
    { type: 'approve', remember: [1] },
    { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] },
  ],
  [
    'answered',
    'PermissionRequest-AskUserQuestion',
    { type: 'answer', answers: { 'Which database?': 'SQLite' } },
    { behavior: 'allow', updatedInput: { questions: expect.anything(), answers: { 'Which database?': 'SQLite' } } },
  ],
] as const)('it can be %s', async (_, name, said, decision) => {
  const { hook, seen, answer } = await startHearing();
  const asked = hook(payload(name));
  const { id } = await seen('approval-request');
  expect(await answer(id, said)).toEqual({ outcome: 'done' });
  expect(await asked.answer).toEqual(decided(decision));
  await seen('approval-resolve');
});

test('one answer wins, nobody inside a run answers, and what makes no sense is refused', async () => {
  const { hook, seen, answer } = await startHearing();
  const asked = hook(payload('PermissionRequest-AskUserQuestion'));
  const { id } = await seen('approval-request');
  expect(await answer(id, { type: 'deny' }, 'r1')).toMatchObject({ outcome: 'refused', code: 'forbidden' });
  expect(await answer(id, { type: 'approve' })).toMatchObject({ outcome: 'refused', code: 'invalid-request' });
  const both = [answer(id, { type: 'deny', message: 'one' }), answer(id, { type: 'deny', message: 'two' })];
  expect((await Promise.all(both)).map(({ outcome }) => outcome).sort()).toEqual(['done', 'late']);
  await asked.answer;
});

test('a difference is against the file as it is', async () => {
  const { hook, seen, answer } = await startHearing();
  const file = path.join(tmpdir(), `gb-hook-${process.pid}.txt`);
  writeFileSync(file, 'old\n');
  const asked = hook(payload('PermissionRequest-Write', { tool_input: { file_path: file, content: 'new\n' } }));
  const { id, differences } = await seen('approval-request');
  expect(differences).toMatchObject([{ path: file, hunks: [{ lines: ['-old', '+new'] }] }]);
  await answer(id, { type: 'deny' });
  await asked.answer;
});

test.each([
  ['nobody is there', {}, { isAttended: () => false }],
  ['nobody follows the session', { session_id: 'other' }, { followMs: 0 }],
  ['the configuration makes no sense', {}, { rulesFor: async () => undefined }],
  ['it is the end of planning', { tool_name: 'ExitPlanMode', tool_input: {} }, {}],
] as const)('nothing is said when %s', async (_, changes, options) => {
  const { hook, events } = await startHearing(options);
  expect(await hook(payload(BASH, changes)).answer).toBeUndefined();
  expect(events.map(({ type }) => type)).not.toContain('approval-request');
});

test('nothing is said in a run of glassbox', async () => {
  const { hook, store, events } = await startHearing();
  await store.startRun({
    runId: 'r9',
    agent: 'claude',
    startedAt: 1,
    resumes: 's1',
    terms: { permission: 'ask' } as never,
  });
  expect(await hook(payload(BASH)).answer).toBeUndefined();
  expect(events.map(({ type }) => type)).not.toContain('approval-request');
});

test('the card goes when everybody left', async () => {
  let isHere = true;
  const { hook, seen } = await startHearing({ isAttended: () => isHere, awayMs: 0 });
  const asked = hook(payload(BASH));
  await seen('approval-request');
  isHere = false;
  expect(await asked.answer).toBeUndefined();
  expect(await seen('approval-withdraw')).toMatchObject({ why: 'agent' });
});

test.each([
  ['the tool ran', ['PostToolUse', { tool_use_id: 'toolu_324stub0' }], { decision: 'allow', by: 'unknown' }],
  ['the turn ended', ['Stop', {}], { decision: 'unknown', by: 'unknown' }],
  ['somebody said something', ['UserPromptSubmit', {}], { decision: 'unknown', by: 'unknown' }],
] as const)('it was answered elsewhere when %s', async (_, [name, changes], resolution) => {
  const { hook, seen, answer } = await startHearing();
  hook(payload('PreToolUse'));
  const asked = hook(payload(BASH));
  const { id } = await seen('approval-request');
  await hook(payload(name, changes)).answer;
  expect(await asked.answer).toBeUndefined();
  expect(await seen('approval-resolve')).toMatchObject(resolution);
  expect(await answer(id, { type: 'approve' })).toMatchObject({ outcome: 'late' });
});

test('it was answered elsewhere when the session waited and no longer does', async () => {
  const told = [false, true, true, false];
  const { hook, seen } = await startHearing({ look: async () => ({ waits: told.shift() ?? false }) });
  const asked = hook(payload(BASH));
  await seen('approval-request');
  expect(await asked.answer).toBeUndefined();
  expect(told).toEqual([]);
  expect(await seen('approval-resolve')).toMatchObject({ decision: 'unknown', by: 'unknown' });
});

test('nobody need answer when the hook is gone', async () => {
  const { hook, seen, answer } = await startHearing();
  const asked = hook(payload(BASH));
  const { id } = await seen('approval-request');
  asked.leave();
  expect(await seen('approval-withdraw')).toMatchObject({ id, why: 'agent' });
  expect(await answer(id, { type: 'approve' })).toMatchObject({ outcome: 'late' });
});

test('rules decide without a person, a deny rule also before a call', async () => {
  const rules = [
    { decision: 'deny', command: 'touch *' },
    { decision: 'allow', tool: 'Write' },
  ] as const;
  const { hook, seen, until, events } = await startHearing({ rulesFor: async () => rules, isAttended: () => false });
  const message = 'Denied by the rule: deny command=touch *';
  expect(await hook(payload('PreToolUse')).answer).toEqual({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: message },
  });
  expect(await hook(payload(BASH)).answer).toEqual(decided({ behavior: 'deny', message }));
  expect(await seen('approval-resolve')).toMatchObject({ decision: 'deny', by: 'rule', rule: 'deny command=touch *' });
  expect(await hook(payload('PermissionRequest-Write')).answer).toEqual(decided({ behavior: 'allow' }));
  const allowed = await until(() => events.findLast(({ type }) => type === 'approval-resolve' && events.length > 5));
  expect(allowed).toMatchObject({ decision: 'allow', by: 'rule', rule: 'allow tool=Write' });
});

test('what is no hook of an agent is not answered', async () => {
  const { hook, news } = await startHearing();
  for (const text of [
    '{}',
    '{"hook_event_name":"PermissionRequest"}',
    '[1]}',
    JSON.stringify(payload(BASH, { tool_name: 3, session_id: 4 })),
  ]) {
    const asked = hook(text);
    if (text === '[1]}') asked.leave();
    expect(await asked.answer).toBeUndefined();
  }
  expect(news).toEqual([]);
});

test('only this user gets to the socket, and of two who listen the first does, until it ends', async () => {
  const first = await startHearing();
  const { socket } = first;
  expect(statSync(socket).mode & 0o777).toBe(0o600);
  expect(lstatSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
  const second = await startHearing({ socket });
  await first.hook(payload('Stop')).answer;
  expect([first.news.length, second.news.length]).toEqual([1, 0]);
  await first.hearing.close();
  await expect.poll(() => existsSync(socket)).toBe(true);
  await first.hook(payload('Stop')).answer;
  await second.until(() => second.news[0]);
});

test('who leaves takes its questions back, and the agent goes on asking', async () => {
  const { hook, seen, hearing, socket } = await startHearing();
  const asked = hook(payload(BASH));
  await seen('approval-request');
  await hearing?.close();
  expect(await asked.answer).toBeUndefined();
  expect(await seen('approval-withdraw')).toMatchObject({ why: 'exit' });
  expect(() => statSync(socket)).toThrow();
});

test.each(['PermissionRequest-subagent', 'SessionStart-startup', 'SessionEnd-exit', 'Notification-permission_prompt'])(
  '%s is read',
  (name) => {
    expect(claude.hooks?.read(payload(name))).toMatchObject({ sessionId: 's1', cwd: tmpdir() });
  },
);
