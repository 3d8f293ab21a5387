import { describe, expect, test } from 'vitest';
import { amp } from '../../../src/agent/amp/index.js';
import { converse, draftsOf, ofType, requestFor } from '../drive.js';

const line = (type: 'assistant' | 'user', ...content: object[]) => ({
  type,
  message: { role: type, content },
  parent_tool_use_id: null,
  session_id: 'T-1',
});
const text = (words: string) => ({ type: 'text', text: words });
const call = (name = 'Bash') => ({ type: 'tool_use', id: 't', name, input: { cmd: 'x', path: '/repo/a' } });
const result = (content: string, is_error = false) => ({ type: 'tool_result', tool_use_id: 't', content, is_error });
const done = { type: 'result', subtype: 'success', is_error: false, result: 'Done.', session_id: 'T-1' };

describe('a result hides in a string what became of the call', () => {
  const endOf = (name: string, content: string, isError?: boolean) =>
    ofType(draftsOf(amp, [line('assistant', call(name)), line('user', result(content, isError))]), 'tool-end')[0];
  const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' };

  test.each<[string, string, string, boolean, object]>([
    ['a command', 'Bash', '{"output":"oops","exitCode":3}', false, { status: 'failed', output: 'oops', exitCode: 3 }],
    ['an empty file', 'Read', '{"absolutePath":"/repo/a","content":""}', false, { status: 'ok', output: '' }],
    ['a patch', 'apply_patch', '{"summary":"add: a","files":[]}', false, { status: 'ok', output: 'add: a' }],
    [
      'an edit',
      'edit_file',
      '{"diff":"```diff\\n@@ -1 +1 @@\\n-a\\n+b\\n```"}',
      false,
      { output: '@@ -1 +1 @@\n-a\n+b' },
    ],
    [
      'blocks of an MCP server',
      'mcp__s__t',
      JSON.stringify([text('one pixel:'), picture]),
      false,
      { status: 'ok', output: 'one pixel:', attachments: [{ kind: 'image', data: 'AAAA', mimeType: 'image/png' }] },
    ],
    ['a list that is no blocks', 'mcp__s__t', '[1,2]', false, { status: 'ok', output: '[1,2]' }],
    ['a rule of 2026-05', 'Bash', 'Tool execution rejected by user: rule 0', true, { status: 'denied' }],
    ['a rule of the newest', 'Bash', 'Tool rejected by plugin: rule 0', false, { status: 'denied' }],
  ])('%s', (_, name, content, isError, end) => {
    expect(endOf(name, content, isError)).toMatchObject(end);
  });

  test('an edit tells its hunks only', () => {
    const diff = '```diff\nIndex: /repo/a\n===\n--- /repo/a\n+++ /repo/a\n@@ -1,1 +1,1 @@\n-a\n+b\n```';
    const drafts = draftsOf(amp, [
      line('assistant', call('edit_file')),
      line('user', result(JSON.stringify({ diff }))),
    ]);
    expect(ofType(drafts, 'file-change')).toMatchObject([{ path: '/repo/a', diff: '@@ -1,1 +1,1 @@\n-a\n+b' }]);
  });
});

test('what is said beside a tool call is no answer: the turn goes on, also when more is said to it', () => {
  const talk = converse(amp, requestFor({ mode: 'conversation' }));
  for (const value of [line('user', text('go')), line('assistant', text('Let me look.'), call())]) talk.hear(value);
  expect(talk.protocol.idle?.()).toBe(false);
  const rest = [line('user', result('{"output":"","exitCode":0}')), line('user', text('and be quick'))];
  for (const value of [...rest, line('assistant', text('Done.')), done]) talk.hear(value);
  expect(ofType(talk.events, 'turn-end')).toMatchObject([{ turn: 1, outcome: 'success', text: 'Done.' }]);
});

test.each([
  ['task_list', 'think'],
  ['edit_file', 'edit'],
  ['shell_command', 'execute'],
  ['web_search', 'fetch'],
  ['no_such_tool', 'other'],
])('%s is of kind %s', (name, kind) => {
  expect(ofType(draftsOf(amp, [line('assistant', call(name))]), 'tool-start')).toMatchObject([{ name, kind }]);
});

test.each([
  ['401 Unauthorized', 'auth', 'Run `amp login`, or set AMP_API_KEY.'],
  ['402 Payment required: out of credits', 'billing', 'Check the credit of the account.'],
  [
    'Bash would require user approval',
    'config',
    'Allow the tool in `amp.permissions`, or run with permission `bypass`.',
  ],
])('what to do about %s', (error, category, hint) => {
  const drafts = draftsOf(amp, [{ type: 'result', subtype: 'error_during_execution', is_error: true, error }]);
  expect(ofType(drafts, 'turn-end')).toMatchObject([{ outcome: 'failed', error: { category, hint } }]);
});
