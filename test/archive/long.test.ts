/** A conversation may be longer than a call can have arguments. */
import { expect, test } from 'vitest';
import type { Agent } from '../../src/agent/agent.js';
import { claude } from '../../src/agent/claude/index.js';
import type { Moment } from '../../src/agent/transcript.js';
import { readMoments } from '../../src/archive/moment.js';

const MANY = 300_000;

test('everything is told of a conversation that its reader tells at its end', async () => {
  const moments: Moment[] = Array.from({ length: MANY }, (_, at) => ({ at, draft: { type: 'turn-start', turn: at } }));
  const transcripts = { ...claude.transcripts, createReader: () => ({ receive: () => [], end: () => ({ moments }) }) };
  const agent = { ...claude, transcripts } as Agent;
  const told = await readMoments({ agent, sessionId: 'a1', files: [], bytes: 0, state: '' });
  expect(told.moments).toHaveLength(MANY);
});
