/** Results that are objects in the stream stand as texts in Cline's files. */
import { expect, test } from 'vitest';
import { transcripts } from '../../../src/agent/cline/transcript.js';

test.each([
  [
    '{"query":"edit:a","result":"File created successfully at: a","success":true}',
    'File created successfully at: a',
    1,
  ],
  ['{"a":1}', '{"a":1}', 0],
  ['plain', 'plain', 0],
])('%s', (content, output, changes) => {
  const reader = transcripts.createReader();
  const input = { path: 'a', new_text: 'x' };
  const messages = [
    { id: '1', role: 'user', ts: 1, content: [{ type: 'text', text: '<user_input mode="act">go</user_input>' }] },
    { id: '2', role: 'assistant', ts: 2, content: [{ type: 'tool_use', id: 'c', name: 'editor', input }] },
    { id: '3', role: 'user', ts: 3, content: [{ type: 'tool_result', tool_use_id: 'c', content }] },
  ];
  const moments = [...reader.receive({ sessionId: '1_a', messages }), ...reader.end().moments];
  const drafts = moments.map(({ draft }) => draft);
  expect(drafts.find(({ type }) => type === 'tool-end')).toMatchObject({ status: 'ok', output });
  expect(drafts.filter((draft) => draft.type === 'file-change' && draft.kind === 'create')).toHaveLength(changes);
  expect(drafts.find(({ type }) => type === 'user-message')).toMatchObject({ text: 'go' });
});

test('each of its turns belongs to the session, also where no document of the session stands beside the messages', () => {
  const said = (id: string, text: string) => ({ id, role: 'user', ts: 1, content: [{ type: 'text', text }] });
  const told = { id: '2', role: 'assistant', ts: 2, content: [{ type: 'text', text: 'done' }] };
  const reader = transcripts.createReader();
  const moments = reader.receive({ sessionId: '1_a', messages: [said('1', 'go'), told, said('3', 'on')] });
  const starts = moments.map(({ draft }) => draft).filter(({ type }) => type === 'session-start');
  expect(starts.length).toBeGreaterThan(0);
  expect(starts.map((draft) => 'sessionId' in draft && draft.sessionId)).toEqual(starts.map(() => '1_a'));
});

test('an answer is over as soon as it is read, and nothing that is told of it is unknown', () => {
  const messages = [
    { id: '1', role: 'user', ts: 1, content: [{ type: 'text', text: 'go' }] },
    { id: '2', role: 'assistant', ts: 2, content: [{ type: 'text', text: 'done' }] },
  ];
  const types = transcripts
    .createReader()
    .receive({ sessionId: '1_a', messages })
    .map(({ draft }) => draft.type);
  expect(types.filter((type) => type === 'message-end')).toHaveLength(1);
  expect(types).not.toContain('unknown');
});
