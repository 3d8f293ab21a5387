/** What Claude Code's transcript tells beside other things comes out as its stream tells it: work in the background, refusals by rules. */
import { expect, test } from 'vitest';
import { transcripts } from '../../../src/agent/claude/transcript.js';

let count = 0;

test('work in the background begins with its call, and ends once, behind the turn that was answered', () => {
  const notice =
    '<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n<summary>It is done</summary>\n</task-notification>';
  const drafts = told(
    user('build it'),
    assistant({ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make', description: 'Build' } }),
    { ...result('t1', 'Running in the background'), toolUseResult: { backgroundTaskId: 'b1' } },
    assistant({ type: 'text', text: 'It builds.' }),
    line({ type: 'queue-operation', operation: 'enqueue', content: notice }),
    user(notice),
    assistant({ type: 'text', text: 'Built.' }),
  );
  const work = drafts.filter(({ type }) => /^task-|^turn-end/.test(type));
  expect(work).toMatchObject([
    { type: 'task-start', id: 'b1', kind: 'shell', toolId: 't1', description: 'Build', background: true },
    { type: 'turn-end', turn: 1 },
    { type: 'task-end', id: 'b1', status: 'ok', toolId: 't1', summary: 'It is done' },
    { type: 'turn-end', turn: 2 },
  ]);
});

test('a sub-agent in the background begins with its call and is summed up by its answer', () => {
  const notice =
    '<task-notification>\n<task-id>a1</task-id>\n<tool-use-id>t1</tool-use-id>\n<status>completed</status>\n<summary>Agent finished</summary>\n<result>All fine.</result>\n</task-notification>';
  const drafts = told(
    user('ask somebody'),
    assistant({ type: 'tool_use', id: 't1', name: 'Task', input: { description: 'Look', prompt: 'look' } }),
    { ...result('t1', 'Async agent launched'), toolUseResult: { isAsync: true, agentId: 'a1' } },
    assistant({ type: 'text', text: 'It looks.' }),
    user(notice),
  );
  expect(drafts.filter(({ type }) => /^task-/.test(type))).toMatchObject([
    { type: 'task-start', id: 'a1', kind: 'agent', toolId: 't1', description: 'Look', background: true },
    { type: 'task-end', id: 'a1', status: 'ok', toolId: 't1', summary: 'All fine.' },
  ]);
});

test('a sub-agent that is waited for begins with its first words, and ends with its call', () => {
  const input = { description: 'Look', prompt: 'look', run_in_background: false };
  const own = { isSidechain: true, agentId: 'a1' };
  const reader = transcripts.createReader();
  const of = (value: object, part?: string) => reader.receive(value, part);
  of(user('ask somebody'));
  of(assistant({ type: 'tool_use', id: 't1', name: 'Task', input }));
  of({ agentType: 'general-purpose', toolUseId: 't1' }, 'a1');
  of({ ...user('look'), ...own }, 'a1');
  of({ ...assistant({ type: 'text', text: 'Not good.' }), ...own }, 'a1');
  of(result('t1', 'Agent terminated early', true));
  const types = reader
    .end()
    .moments.map(({ draft }) => draft)
    .filter(({ type }) => /^(task-|tool-end|text-end)/.test(type));
  expect(types).toMatchObject([
    { type: 'task-start', id: 'a1', kind: 'agent', toolId: 't1' },
    { type: 'text-end', text: 'Not good.', parent: 't1' },
    { type: 'task-end', id: 'a1', status: 'failed', summary: 'Agent terminated early' },
    { type: 'tool-end', id: 't1', status: 'failed' },
  ]);
});

test.each([
  [{ decision: 'reject', source: 'config' }, 1],
  // A person was asked.
  [{ decision: 'reject', source: 'user_reject' }, 0],
])('a refusal %j', (permissionDecision, denials) => {
  const drafts = told(
    user('fetch it'),
    assistant({ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'curl' } }),
    { ...result('t1', 'It has been denied.', true), toolDenialKind: 'permission-rule', permissionDecision },
    assistant({ type: 'text', text: 'No.' }),
  );
  const denied = drafts.filter(({ type }) => type === 'permission-deny');
  expect(denied).toHaveLength(denials);
  if (denials > 0) expect(denied).toMatchObject([{ toolName: 'Bash', toolId: 't1', message: 'It has been denied.' }]);
});

function told(...lines: object[]) {
  const reader = transcripts.createReader();
  return [...lines.flatMap((value) => reader.receive(value)), ...reader.end().moments].map(({ draft }) => draft);
}

function line(facts: object) {
  count += 1;
  return { uuid: `u${count}`, timestamp: new Date(1.7e12 + count * 1000).toISOString(), sessionId: 's', ...facts };
}

const user = (content: unknown) => line({ type: 'user', message: { role: 'user', content } });

const assistant = (block: object) =>
  line({
    type: 'assistant',
    message: { id: `m${count}`, role: 'assistant', content: [block], stop_reason: 'end_turn' },
  });

const result = (id: string, content: string, isError = false) =>
  user([{ type: 'tool_result', tool_use_id: id, content, is_error: isError }]);
