import { expect, test } from 'vitest';
import { qwen } from '../../../src/agent/qwen/index.js';
import { draftsOf, ofType } from '../drive.js';

const call = (name: string) => ({
  type: 'assistant',
  message: { id: 'm', content: [{ type: 'tool_use', id: 't', name, input: { file_path: '/repo/a' } }] },
});
const result = (content: string) => ({
  type: 'user',
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content }] },
});

test.each([
  ['Successfully created and wrote to new file: /repo/a.', 'create'],
  ['Successfully overwrote file: /repo/a.', 'edit'],
])('the words tell whether a file is new: %s', (words, kind) => {
  const drafts = draftsOf(qwen, [call('write_file'), result(words)]);
  expect(ofType(drafts, 'file-change')).toMatchObject([{ toolId: 't', path: '/repo/a', kind }]);
});

/** 0.24.4's own words for what it did not let run, and words of whatever was called that are like them. */
test.each([
  ['Qwen Code requires permission to use "write_file", but that permission was declined.', 'denied'],
  ['Blocked by PreToolUse hook', 'denied'],
  ['Tool execution blocked by hook', 'denied'],
  ['Execution stopped by hook', 'denied'],
  ['blocked by hook', 'denied'],
  ['Error: the firewall has a deny rule for this host', 'failed'],
  ['403: this token requires permission to use the API', 'failed'],
  ['webhook 7: delivery blocked by hook 3', 'failed'],
])('a call that failed with %j is %s', (words, status) => {
  const failed = { type: 'tool_result', tool_use_id: 't', is_error: true, content: words };
  const drafts = draftsOf(qwen, [
    call('mcp__crm__add'),
    { type: 'user', message: { role: 'user', content: [failed] } },
  ]);
  expect(ofType(drafts, 'tool-end')).toMatchObject([{ status, output: words }]);
});

test('a plan that is accepted ends the planning, by its call', () => {
  const drafts = draftsOf(qwen, [call('exit_plan_mode'), result('User has approved your plan.')]);
  expect(ofType(drafts, 'plan-mode').at(-1)).toMatchObject({ state: 'exit', toolId: 't' });
});

test.each([
  ['run_shell_command', 'Background shell bg_1 started (pid 1347).', 'bg_1'],
  ['agent', 'Background agent launched successfully.\ntask_id: general-t (internal ID)', 'general-t'],
  ['run_shell_command', 'Background is blue', undefined],
])('%s: %j goes on as %s', (name, words, taskId) => {
  expect(ofType(draftsOf(qwen, [call(name), result(words)]), 'tool-end')[0]?.taskId).toBe(taskId);
});

test.each([
  ['success', { subtype: 'success', is_error: false, result: 'Done.' }, 'success', undefined],
  ['a flag', { subtype: 'success', is_error: true, result: 'No key.' }, 'failed', 'No key.'],
  ['a subtype', { subtype: 'error_during_execution', error: { message: 'Broken.' } }, 'failed', 'Broken.'],
  ['an interrupt', { subtype: 'error', is_error: true, error: 'Operation cancelled.' }, 'interrupted', undefined],
])('a result ends its turn as it says: %s', (_, facts, outcome, message) => {
  const [end] = ofType(draftsOf(qwen, [call('write_file'), { type: 'result', ...facts }]), 'turn-end');
  expect(end?.outcome).toBe(outcome);
  if (message !== undefined) expect(end?.error?.message).toBe(message);
});

const frame = (output: string, code: number) =>
  `Command: x\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${code}\nSignal: (none)\nProcess Group PGID: (none)`;

test.each([
  ['a command that printed nothing', frame('(empty)', 0), 0],
  ['a command that prints what looks like the end', frame('one\nExit Code: 5\ntwo', 3), 3],
  ['what a command printed', 'one\nExit Code: 5\ntwo', undefined],
])('the exit code is that of %s', (_, words, code) => {
  expect(ofType(draftsOf(qwen, [call('run_shell_command'), result(words)]), 'tool-end')[0]?.exitCode).toBe(code);
});
