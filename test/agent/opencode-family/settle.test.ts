/** When a turn of which only the database tells is over: a person who refuses a call stops it, and nothing more comes. */
import { expect, test } from 'vitest';
import { opencode } from '../../../src/agent/opencode/index.js';

test.each([
  ['The user rejected permission to use this specific tool call.', 1],
  ['The user has specified a rule which prevents you from using this specific tool call.', 0],
])('%s', (error, ends) => {
  const reader = opencode.transcripts?.createReader();
  if (!reader) throw new Error('opencode keeps its conversations.');
  const row = (messageID: string, message: object, id: string, part: object, at: number) =>
    reader.receive(
      { messageID, message: JSON.stringify(message), id, part: JSON.stringify(part), at, said: at },
      'part',
    );
  const state = { status: 'error', input: { command: 'touch a' }, error, time: { start: 2, end: 3 } };
  const answer = { role: 'assistant', finish: 'tool-calls', time: { created: 2, completed: 4 } };
  const moments = [
    ...reader.receive({ id: 'ses_1', directory: '/repo', title: 'a', version: '1.18.33', at: 1 }, 'session'),
    ...row('m1', { role: 'user', time: { created: 1 } }, 'p1', { type: 'text', text: 'Go on' }, 1),
    ...row('m2', answer, 'p2', { type: 'tool', tool: 'bash', callID: 'c1', state }, 3),
    ...row('m2', answer, 'p3', { type: 'step-finish', reason: 'tool-calls', tokens: {}, cost: 0 }, 4),
    ...(reader.settle?.() ?? []),
  ];
  expect(moments.filter(({ draft }) => draft.type === 'turn-end')).toHaveLength(ends);
});
