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
  expect(ofType(drafts, 'file-change')).toMatchObject([{ path: '/repo/a', kind }]);
});

test.each([
  ['run_shell_command', 'Background shell bg_1 started (pid 1347).', 'bg_1'],
  ['agent', 'Background agent launched successfully.\ntask_id: general-t (internal ID)', 'general-t'],
  ['run_shell_command', 'Background is blue', undefined],
])('%s: %j goes on as %s', (name, words, taskId) => {
  expect(ofType(draftsOf(qwen, [call(name), result(words)]), 'tool-end')[0]?.taskId).toBe(taskId);
});
