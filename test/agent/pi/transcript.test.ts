/** What pi's files do not say and its stream does: which attempt it was. */
import { expect, test } from 'vitest';
import { transcripts } from '../../../src/agent/pi/transcript.js';

const entry = (type: string, body: object) => ({ type, timestamp: '2026-11-16T12:00:00Z', ...body });
const message = (body: object) => entry('message', { message: body });
const user = message({ role: 'user', content: [{ type: 'text', text: 'go' }] });
const assistant = (stopReason: string, more: object = {}) =>
  message({ role: 'assistant', content: [{ type: 'text', text: stopReason }], stopReason, ...more });
const failed = assistant('error', { errorMessage: '500: oops' });
const worked = assistant('toolUse', { content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: {} }] });
const done = message({ role: 'toolResult', toolCallId: 'c', toolName: 'bash', content: [] });

function attempts(...entries: object[]): (number | undefined)[] {
  const reader = transcripts.createReader();
  const moments = [entry('session', { id: 's', cwd: '/repo' }), user, ...entries].flatMap((line) =>
    reader.receive(line),
  );
  return [...moments, ...reader.end().moments].flatMap(({ draft }) => (draft.type === 'retry' ? [draft.attempt] : []));
}

test.each([
  ['after nothing that failed', [assistant('stop')], []],
  ['after each failure', [failed, failed, assistant('stop')], [1, 2]],
  ['after a call it begins again', [failed, failed, worked, done, failed, assistant('stop')], [1, 2, 1]],
  ['after the next message it begins again', [failed, failed, user, failed, assistant('stop')], [1, 1]],
])('attempts are counted %s', (_, entries, counted) => {
  expect(attempts(...entries)).toEqual(counted);
});
