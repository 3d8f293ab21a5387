import { expect, test } from 'vitest';
import { gemini } from '../../../src/agent/gemini/index.js';
import { draftsOf, ofType } from '../drive.js';

const said = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });
const call = (tool_name: string, parameters: object = {}) => ({
  type: 'tool_use',
  tool_name,
  tool_id: 't',
  parameters,
});
const done = { type: 'tool_result', tool_id: 't', status: 'success' };
const result = (more: object = {}) => ({ type: 'result', status: 'success', stats: {}, ...more });
const failed = (type: string, message: string) => result({ status: 'error', error: { type, message } });
const turnOf = (...values: object[]) =>
  ofType(draftsOf(gemini, [{ type: 'init', session_id: 's' }, ...values]), 'turn-end')[0];

test('the answer is what was said after the last tool call', () => {
  expect(turnOf(said('Let me '), said('look.'), call('glob'), done, said('Do'), said('ne.'), result())?.text).toBe(
    'Done.',
  );
  expect(turnOf(said('Let me look.'), call('glob'), done, result())?.text).toBeUndefined();
});

test.each<[object, object]>([
  [failed('FatalTurnLimitedError', 'Reached max session turns.'), { outcome: 'max-turns' }],
  [
    failed('unknown', '[API Error: {"error":{"code":500,"message":"Internal error","status":"INTERNAL"}}]'),
    { outcome: 'failed', error: { category: 'server', httpStatus: 500 } },
  ],
  [
    failed('unknown', '[API Error: {"error":{"code":400,"message":"API key not valid."}}]'),
    { outcome: 'failed', error: { category: 'auth', httpStatus: 400 } },
  ],
])('%j', (line, end) => {
  expect(turnOf(line)).toMatchObject(end);
});

test('a block for safety is a refusal', () => {
  const message = 'The model response was blocked due to safety settings.';
  const end = turnOf({ type: 'error', severity: 'error', message }, result({ status: 'error' }));
  expect(end).toMatchObject({ outcome: 'failed', error: { category: 'refusal', message } });
});

test('todos are in the arguments', () => {
  const todos = [
    { description: 'a', status: 'completed' },
    { description: 'b', status: 'in_progress' },
    { description: 'c', status: 'cancelled' },
    { description: 'd', status: 'pending' },
  ];
  expect(ofType(draftsOf(gemini, [call('write_todos', { todos }), done]), 'todo-update')).toMatchObject([
    {
      todos: [
        { text: 'a', status: 'done' },
        { text: 'b', status: 'active' },
        { text: 'd', status: 'pending' },
      ],
    },
  ]);
});

test.each([
  ['run_shell_command', 'denied'],
  ['write_file', 'denied'],
  ['web_fetch', 'denied'],
  // It touches nothing, so no policy takes it away: this version does not have it.
  ['write_todos', 'failed'],
  ['no_such_tool', 'failed'],
])('%s that is not registered was %s', (name, status) => {
  const error = { type: 'tool_not_registered', message: `Tool "${name}" not found.` };
  const drafts = draftsOf(gemini, [call(name), { ...done, status: 'error', error }]);
  expect(ofType(drafts, 'tool-end')).toMatchObject([{ status, output: error.message }]);
});

test('a text ends with the result of a call that was not seen', () => {
  const drafts = draftsOf(gemini, [said('Let me look.'), done, said('Done.'), result()]);
  expect(ofType(drafts, 'text-end').map(({ text }) => text)).toEqual(['Let me look.', 'Done.']);
});
