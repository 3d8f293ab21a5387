/** Which rows of the database may still change. */
import { expect, test } from 'vitest';
import { createTranscripts } from '../../../src/agent/opencode-family/transcript.js';

const row = (message: object, part: object | null) => ({
  message: JSON.stringify(message),
  part: part && JSON.stringify(part),
});
const text = { type: 'text', time: {} };

test.each<[string, object, object | null, boolean]>([
  ['a message without parts', { role: 'assistant', time: {} }, null, true],
  ['a prompt without parts', { role: 'user', time: {} }, null, true],
  ['one that was completed', { role: 'assistant', time: { completed: 1 } }, null, false],
  ['one that failed', { role: 'assistant', time: {}, error: { name: 'x' } }, null, false],
  ['words that go on', { role: 'assistant', time: {} }, text, true],
  ['words that ended', { role: 'assistant', time: {} }, { ...text, time: { end: 2 } }, false],
  ['words of a message that was completed', { role: 'assistant', time: { completed: 1 } }, text, false],
  ['words of a message that failed', { role: 'assistant', time: {}, error: { name: 'x' } }, text, false],
  ['words of a prompt', { role: 'user', time: {} }, text, false],
  ['a tool that runs', { role: 'assistant', time: {} }, { type: 'tool', state: { status: 'running' } }, true],
  ['a tool that ran', { role: 'assistant', time: {} }, { type: 'tool', state: { status: 'completed' } }, false],
])('%s', (_, message, part, isOpen) => {
  expect(createTranscripts('opencode', [], {}).database?.isOpen?.(row(message, part))).toBe(isOpen);
});

test('a session that is read again is the same one, and tells only what became of its title', () => {
  const reader = createTranscripts('opencode', [], {}).createReader();
  const session = { id: 'ses_1', directory: '/repo', title: 'New session - now', version: '1', at: 1 };
  const moments = [
    ...reader.receive(session, 'session'),
    ...reader.receive({ ...session, title: 'Named' }, 'session'),
    ...reader.receive({ ...session, title: 'Named' }, 'session'),
    ...reader.end().moments,
  ];
  const told = moments.map(({ draft }) => draft);
  expect(told.filter(({ type }) => type === 'session-start')).toHaveLength(1);
  expect(told).toMatchObject([
    { type: 'session-start', sessionId: 'ses_1' },
    { type: 'session-update', title: 'Named' },
  ]);
});
