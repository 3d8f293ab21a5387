/** Entries of Qwen's files that the recorded ones do not have. */
import { expect, test } from 'vitest';
import { transcripts } from '../../../src/agent/qwen/transcript.js';

let second = 0;
const entry = (type: string, facts: object) => ({
  type,
  sessionId: 's1',
  cwd: '/repo',
  timestamp: new Date(Date.UTC(2026, 0, 1) + ++second * 1000).toISOString(),
  ...facts,
});
const user = (parts: object[], facts: object = {}) => entry('user', { message: { role: 'user', parts }, ...facts });
const model = (text: string) => entry('assistant', { message: { role: 'model', parts: [{ text }] } });

function draftsOf(...entries: object[]) {
  const reader = transcripts.createReader();
  return [...entries.flatMap((one) => reader.receive(one)), ...reader.end().moments].map(({ draft }) => draft);
}

test('of what was said beside a picture the words are told', () => {
  const said = draftsOf(
    user([{ text: 'What is ' }, { inlineData: { data: 'AAAA' } }, { text: 'this?' }]),
    model('A cat.'),
  );
  expect(said.flatMap((draft) => (draft.type === 'user-message' ? [draft.text] : []))).toEqual(['What is this?']);
});

test('only a notification tells of work that has ended', () => {
  const words = '<task-id>a1</task-id><tool-use-id>t1</tool-use-id><status>completed</status>';
  const begun = [
    user([{ text: 'go' }]),
    entry('assistant', { message: { parts: [{ functionCall: { id: 't1', name: 'agent', args: {} } }] } }),
    entry('tool_result', {
      message: { parts: [{ functionResponse: { id: 't1', response: { output: 'task_id: a1' } } }] },
      toolCallResult: { callId: 't1', status: 'success', resultDisplay: { executionMode: 'background' } },
    }),
    model('It works.'),
  ];
  const ends = (text: string) =>
    draftsOf(...begun, user([{ text }], { provenance: 'notification' }), model('Well.')).flatMap((draft) =>
      draft.type === 'task-end' ? [draft.status] : [],
    );
  expect(ends(`<task-notification>${words}</task-notification>`)).toEqual(['ok']);
  expect(ends(words)).not.toEqual(['ok']);
});
