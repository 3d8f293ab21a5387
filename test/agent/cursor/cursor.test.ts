import { describe, expect, test } from 'vitest';
import { cursor } from '../../../src/agent/cursor/index.js';
import type { Draft } from '../../../src/event/index.js';
import { draftsOf, ofType } from '../drive.js';
import { testAgent } from '../suite.js';

const base = '--print --output-format stream-json --stream-partial-output --trust';

testAgent({
  agent: cursor,
  folders: ['cursor-synthetic'],
  commands: [
    ['the prompt goes by stdin', {}, base, 'text'],
    ['no deltas', { deltas: false }, '--print --output-format stream-json --trust'],
    ['accept-edits', { permission: 'accept-edits' }, base],
    ['plan', { permission: 'plan' }, `${base} --mode=plan`],
    ['bypass', { permission: 'bypass' }, `${base} --force`],
    ['model', { model: 'm' }, `${base} --model=m`],
    ['resume', { resume: 'id-1' }, `${base} --resume=id-1`],
    ['resume the latest', { resume: 'latest' }, `${base} --continue`],
    ['further arguments', { extraArgs: ['--debug'] }, `${base} --debug`],
  ],
  check,
});

/** A failure has no result; the exit status tells. */
function check(events: readonly Draft[], { exitCode }: { exitCode?: number | undefined }): string[] {
  const outcomes = ofType(events, 'turn-end').map(({ outcome }) => outcome);
  const expected = exitCode === 0 ? 'success' : 'unknown';
  return outcomes.join() === expected ? [] : [`${outcomes} instead of ${expected}`];
}

const init = { type: 'system', subtype: 'init', session_id: 's', model: 'm', apiKeySource: 'login' };
const assistant = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  ...more,
});
const tool = (subtype: string, tool_call: object, call_id = 'c') => ({
  type: 'tool_call',
  subtype,
  call_id,
  tool_call,
});
const result = { type: 'result', subtype: 'success', is_error: false, result: 'OneTwo', session_id: 's' };
const read = (...lines: unknown[]) => draftsOf(cursor, [init, ...lines]);

describe('speech', () => {
  test.each([
    ['whole segments', [assistant('One', { model_call_id: 'x', timestamp_ms: 1 }), assistant('Two')]],
    [
      'deltas, and each segment again',
      [
        assistant('O', { timestamp_ms: 1 }),
        assistant('ne', { timestamp_ms: 2 }),
        assistant('One', { timestamp_ms: 3, model_call_id: 'x' }),
        assistant('Two', { timestamp_ms: 4 }),
        assistant('Two'),
        assistant('OneTwo'),
      ],
    ],
  ])('%s are told once, and the last is the answer', (_, lines) => {
    const events = read(...lines, result);
    expect(ofType(events, 'text-end').map(({ text }) => text)).toEqual(['One', 'Two']);
    expect(ofType(events, 'turn-end')).toMatchObject([{ outcome: 'success', text: 'Two' }]);
  });
});

describe('tools', () => {
  test.each([
    ['ok', { success: { exitCode: 0, stdout: 'a\n' } }, { status: 'ok', exitCode: 0, output: 'a\n' }],
    ['a success with an exit code', { success: { exitCode: 3, stderr: 'b' } }, { status: 'failed', exitCode: 3 }],
    ['rejected', { rejected: { reason: 'no' } }, { status: 'denied', output: 'no' }],
    ['any other', { error: { error: 'broken' } }, { status: 'failed', output: 'broken' }],
  ])('%s', (_, outcome, end) => {
    const shell = { args: { command: 'x' } };
    const events = read(
      tool('started', { shellToolCall: shell }),
      tool('completed', { shellToolCall: { ...shell, result: outcome } }),
    );
    expect(ofType(events, 'tool-end')).toMatchObject([end]);
  });

  test('an id may hold a line break, and an unknown tool is a function', () => {
    const unknown = { function: { name: 'some_tool', arguments: '{"a":1}' } };
    const events = read(tool('started', unknown, 'c\nd'), tool('completed', unknown, 'c\nd'));
    expect(ofType(events, 'tool-input-end')).toMatchObject([{ id: 'c\nd', input: { a: 1 } }]);
    expect(ofType(events, 'tool-end')).toMatchObject([{ id: 'c\nd', name: 'some_tool', status: 'ok' }]);
  });

  test('a list of things to do', () => {
    const call = {
      updateTodosToolCall: { args: { todos: [{ id: '1', content: 'Go', status: 'TODO_STATUS_IN_PROGRESS' }] } },
    };
    expect(ofType(read(tool('started', call), tool('completed', call)), 'todo-update')).toMatchObject([
      { todos: [{ id: '1', text: 'Go', status: 'active' }] },
    ]);
  });
});
