/** Rollouts of releases that wrote less than today's: no items, no turns, outputs as the model was told them. */
import { expect, test } from 'vitest';
import { transcripts } from '../../../src/agent/codex/transcript.js';

let second = 0;
const entry = (type: string, payload: object) => ({
  timestamp: new Date(Date.UTC(2026, 0, 1) + ++second * 1000).toISOString(),
  type,
  payload,
});
const event = (type: string, payload: object = {}) => entry('event_msg', { type, ...payload });
const call = (name: string, args: object, id = 'c1') =>
  entry('response_item', { type: 'function_call', name, arguments: JSON.stringify(args), call_id: id });
const output = (text: unknown, id = 'c1') =>
  entry('response_item', { type: 'function_call_output', call_id: id, output: text });
const begin = entry('session_meta', { id: 'x', cwd: '/repo', source: 'exec', cli_version: '0.65.0' });

function told(...entries: object[]): string[] {
  const reader = transcripts.createReader();
  const moments = [...entries.flatMap((one) => reader.receive(one)), ...reader.end().moments];
  return moments.flatMap(({ draft }) => {
    if (draft.type === 'user-message') return [`${draft.turn} user ${draft.text}`];
    if (draft.type === 'text-end') return [`${draft.turn} text ${draft.text}`];
    if (draft.type === 'tool-input-end') return [`${draft.turn} call ${JSON.stringify(draft.input)}`];
    if (draft.type === 'tool-end') return [`${draft.turn} ${draft.status} ${draft.exitCode} ${draft.output}`];
    if (draft.type === 'turn-end') return [`${draft.turn} ${draft.outcome} ${draft.usage?.inputTokens ?? '-'}`];
    return [];
  });
}

test('a turn begins where somebody speaks, and is answered when nothing has to follow', () => {
  const wrapped = JSON.stringify({ output: 'no\n', metadata: { exit_code: 2 } });
  const total = (input_tokens: number) => event('token_count', { info: { total_token_usage: { input_tokens } } });
  expect(
    told(
      begin,
      event('user_message', { message: 'one' }),
      call('shell', { command: ['bash', '-lc', "echo 'no'"] }),
      output(wrapped),
      total(5),
      event('agent_message', { message: 'First.' }),
      total(9),
      event('user_message', { message: 'two' }),
      call('shell_command', { command: 'ls' }, 'c2'),
    ),
  ).toEqual([
    '1 user one',
    `1 call {"command":"bash -lc \\"echo 'no'\\""}`,
    '1 failed 2 no\n',
    '1 text First.',
    '1 success 9',
    '2 user two',
    '2 call {"command":"/bin/bash -lc ls"}',
    '2 unknown undefined undefined',
    '2 unknown -',
  ]);
});

test.each([
  ['Exit code: 0\nWall time: 0 seconds\nOutput:\nfine\n', 'ok 0 fine\n'],
  [
    'Chunk ID: ab\nWall time: 0.1 seconds\nProcess exited with code 3\nOriginal token count: 1\nOutput:\nbad',
    'failed 3 bad',
  ],
  ['execution error: no such program', 'failed undefined execution error: no such program'],
])('what the model was told: %s', (text, expected) => {
  expect(told(begin, event('task_started'), call('exec_command', { cmd: 'x' }), output(text))).toContain(
    `1 ${expected}`,
  );
});

test.each([
  ['plain', 'plain'],
  ['', "''"],
  ['a b', "'a b'"],
  ["it's", '"it\'s"'],
  ["'$x'", `"'"'$x'"'"`],
  ['é', "'é'"],
])('commands are quoted as the stream quotes them: %s', (word, quoted) => {
  const lines = told(begin, event('task_started'), call('shell', { command: ['run', word] }));
  expect(lines[0]).toBe(`1 call ${JSON.stringify({ command: `run ${quoted}` })}`);
});

test('a call without an end is told in its own turn and in no later one', () => {
  const item = (id: string, text: string) =>
    event('item_completed', { item: { type: 'AgentMessage', id, content: [{ type: 'Text', text }] } });
  expect(
    told(
      begin,
      event('task_started'),
      item('m1', 'First.'),
      call('shell_command', { command: 'ls' }),
      event('turn_aborted'),
      event('task_started'),
      item('m2', 'Second.'),
      event('task_complete'),
    ).filter((line) => / call | text |unknown|success|interrupted/.test(line)),
  ).toEqual([
    '1 text First.',
    '1 call {"command":"/bin/bash -lc ls"}',
    '1 unknown undefined undefined',
    '1 interrupted -',
    '2 text Second.',
    '2 success -',
  ]);
});

test('an id that a model gives to a second call names two calls', () => {
  const two = (command: string, code: number) => [
    call('exec_command', { cmd: command }),
    output(`Process exited with code ${code}\nOutput:\n${command}`),
  ];
  expect(
    told(begin, event('task_started'), ...two('one', 0), ...two('two', 2)).filter((line) => / (ok|failed) /.test(line)),
  ).toEqual(['1 ok 0 one', '1 failed 2 two']);
});

test.each([
  ['Plan updated', 1],
  ['unsupported call: update_plan', 0],
])('a to-do list of which the model was told "%s"', (answer, lists) => {
  const reader = transcripts.createReader();
  const plan = { plan: [{ step: 'Read', status: 'completed' }] };
  const moments = [begin, event('task_started'), call('update_plan', plan), output(answer)].flatMap((one) =>
    reader.receive(one),
  );
  expect(moments.filter(({ draft }) => draft.type === 'todo-update')).toHaveLength(lists);
});

test('an error is told', () => {
  const reader = transcripts.createReader();
  const moments = [
    begin,
    event('task_started'),
    event('error', { message: 'stream disconnected' }),
    event('task_complete'),
  ].flatMap((one) => reader.receive(one));
  expect(moments.flatMap(({ draft }) => (draft.type === 'agent-error' ? [draft.message] : []))).toEqual([
    'stream disconnected',
  ]);
});

/** A conversation that is followed comes to rest: what is answered has ended, if nobody tells of turns. */
test.each([
  ['answered', [event('agent_message', { message: 'Done.' })], ['success']],
  ['still at work', [event('agent_message', { message: 'First …' }), call('shell', { command: ['ls'] })], []],
  ['told to end by itself', [event('task_started'), event('agent_message', { message: 'Done.' })], []],
] as const)('at rest, a turn that is %s', (_, entries, outcomes) => {
  const reader = transcripts.createReader();
  for (const one of [begin, event('user_message', { message: 'go' }), ...entries]) reader.receive(one);
  const atRest = () =>
    (reader.settle?.() ?? []).flatMap(({ draft }) => (draft.type === 'turn-end' ? [draft.outcome] : []));
  expect([atRest(), atRest()]).toEqual([outcomes, []]);
});
