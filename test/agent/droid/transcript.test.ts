/** Droid's sessions on disk. */
import { expect, test } from 'vitest';
import { transcripts } from '../../../src/agent/droid/transcript.js';

test('tokens are those of the whole session, told at the end of its last turn', () => {
  const reader = transcripts.createReader();
  const said = (id: string, role: string, text: string) => ({
    ...{ type: 'message', id, timestamp: '2026-11-01T10:00:00.000Z' },
    message: { role, content: [{ type: 'text', text }] },
  });
  const over = { type: 'agent_turn_outcome', reason: 'completed', timestamp: '2026-11-01T10:00:05.000Z' };
  const lines = [
    { type: 'session_start', id: 's', cwd: '/repo', title: 'T' },
    ...[said('1', 'user', 'go'), said('2', 'assistant', 'One.'), over],
    ...[said('3', 'user', 'on'), said('4', 'assistant', 'Two.'), over],
  ];
  const settings = {
    model: 'm',
    tokenUsage: { inputTokens: 1, outputTokens: 1 },
    inclusiveTokenUsage: { inputTokens: 7, outputTokens: 3 },
  };
  const moments = [
    ...reader.receive(settings, 'settings'),
    ...lines.flatMap((line) => reader.receive(line)),
    ...reader.end().moments,
  ];
  const ends = moments.map(({ draft }) => draft).filter(({ type }) => type === 'turn-end');
  expect(ends).toMatchObject([
    { outcome: 'success', text: 'One.' },
    {
      outcome: 'success',
      text: 'Two.',
      usage: { inputTokens: 7, outputTokens: 3 },
      usageCovers: 'all',
      usageScope: 'session',
    },
  ]);
  expect(ends[0]).not.toHaveProperty('usage');
});
