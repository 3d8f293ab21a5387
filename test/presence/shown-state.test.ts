/** One word for a session on every screen. */
import { expect, test } from 'vitest';
import { type KeptState, type ShownState, type State, shownState } from '../../src/presence/index.js';

test.each<[Partial<KeptState>, string, ShownState['tone']]>([
  [{ state: 'ended', outcome: 'finished' }, 'finished', 'finished'],
  [{ state: 'ended' }, 'ended', 'ended'],
  [{ state: 'ended', outcome: 'cancelled' }, 'cancelled', 'stopped'],
  [{ state: 'ended', outcome: 'interrupted' }, 'interrupted', 'stopped'],
  [{ state: 'ended', outcome: 'crashed' }, 'crashed', 'failed'],
  [{ state: 'ended', outcome: 'stalled' }, 'stalled', 'failed'],
  [{ state: 'running' }, 'working', 'working'],
  [{ state: 'waiting' }, 'waiting', 'waiting'],
])('what is kept alone: %j is %s, and only what is known to have finished is that', (kept, word, tone) => {
  expect(shownState({ state: 'running', waiting: 0, ...kept })).toEqual({ word, tone });
});

test.each<[KeptState['state'], State, string]>([
  ['running', 'idle', 'idle'],
  ['running', 'parked', 'parked'],
  ['running', 'unknown', 'unknown'],
  ['running', 'ended', 'ended'],
  ['ended', 'idle', 'idle'],
  ['ended', 'waiting', 'waiting'],
  ['ended', 'ended', 'finished'],
  // Nobody saw enough to doubt what was kept.
  ['ended', 'unknown', 'finished'],
])('kept as %s and seen as %s it is %s', (state, seen, word) => {
  const outcome = state === 'ended' ? 'finished' : undefined;
  expect(shownState({ state, outcome, waiting: 0 }, { state: seen }).word).toBe(word);
});

test('a question that can be answered here wins over what was seen a moment ago', () => {
  expect(shownState({ state: 'running', waiting: 1 }, { state: 'working' }).word).toBe('waiting');
  expect(shownState({ state: 'ended', waiting: 1 }, { state: 'ended' }).word).toBe('ended');
});
