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
