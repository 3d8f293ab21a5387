/** Where a conversation goes on after a rewind: from which turn, or why it cannot; until somebody has gone on. */
import { describe, expect, test } from 'vitest';
import { findPlace, placeToGoOn } from '../../src/checkpoint/conversation-place.js';
import { rewind, undoRewind } from '../../src/checkpoint/index.js';
import type { AgentEvent } from '../../src/event/index.js';
import { played } from './played.js';
import { makeRepository, write } from './repository.js';

const TURNS = [
  { turn: 1, runId: 'r1' },
  { turn: 2, runId: 'r1' },
  { turn: 3, runId: 'r2' },
  { turn: 4, runId: 'r2' },
];

/** Turns of runs by their own numbers; the third one has no name. */
const NAMES: Record<string, (string | undefined)[]> = { r1: ['u1', 'u2'], r2: [undefined, 'u4'] };

async function* read(runId: string): AsyncIterable<AgentEvent> {
  for (const [index, resumeAt] of (NAMES[runId] ?? []).entries()) {
    const more = { seq: index + 1, turn: index + 1, at: 1, sessionId: `s-${runId}`, ...(resumeAt && { resumeAt }) };
    yield { type: 'turn-end', outcome: 'success', ...more } as AgentEvent;
  }
}

const claude = { agent: 'claude', agentSessionId: 's-r2' };

describe('J 2: where the conversation goes back to', () => {
  test.each([
    ['a turn of an earlier run', { turn: 2 }, { turn: 2, place: { resume: 's-r1', resumeAt: 'u2' } }],
    ['before a turn', { turn: 2, before: true }, { turn: 1, place: { resume: 's-r1', resumeAt: 'u1' } }],
    ['before the first', { turn: 0 }, { turn: 0, place: { resume: 's-r2', resumeAt: 'start' } }],
    ['before turn 1', { turn: 1, before: true }, { turn: 0, place: { resume: 's-r2', resumeAt: 'start' } }],
    ['the last one, which needs no name', { turn: 4 }, { turn: 4, place: { resume: 's-r2' } }],
    ['one without a name', { turn: 3 }, { turn: 3, cannot: 'Claude Code did not name that turn' }],
  ])('%s', async (_, wish, found) => {
    expect(await findPlace(TURNS, wish, { session: claude, read })).toEqual(found);
  });

  test('an agent that cannot, says so, and can begin anew all the same', async () => {
    const session = { agent: 'gemini', agentSessionId: 's' };
    expect(await findPlace(TURNS, { turn: 1 }, { session, read })).toEqual({
      turn: 1,
      cannot: 'Gemini CLI cannot go on from an earlier turn',
    });
    expect(await findPlace(TURNS, { turn: 0 }, { session, read })).toMatchObject({ place: { resumeAt: 'start' } });
    const unnamed = { session: { agent: 'claude' }, read };
    expect(await findPlace(TURNS, { turn: 0 }, unnamed)).toMatchObject({
      cannot: expect.stringContaining('never told'),
    });
  });
});

test('J 2: it is heard until the session has gone on, and not when the rewind was taken back', async () => {
  const root = makeRepository({ f: '1' });
  const { plan, dir } = await played(root, () => write(root, { f: '2' }));
  const session = { id: 's', runs: [{ startedAt: 1 }] };
  const conversation = { resume: 'a', resumeAt: 'u' };
  expect(await placeToGoOn(session, dir)).toBeUndefined();
  await rewind(await plan(0), { session: 's', to: 'x', conversation }, {}, dir);
  expect(await placeToGoOn(session, dir)).toEqual(conversation);
  expect(await placeToGoOn({ ...session, id: 'other' }, dir)).toBeUndefined();
  expect(
    await placeToGoOn({ id: 's', runs: [{ startedAt: 1 }, { startedAt: Date.now() + 1000 }] }, dir),
  ).toBeUndefined();
  await undoRewind('s', dir);
  expect(await placeToGoOn(session, dir)).toBeUndefined();
});

test('J 2: where no file differs the conversation goes back alone, and that is taken back', async () => {
  const root = makeRepository({ f: '1' });
  const { plan, dir } = await played(root, () => {});
  const conversation = { resume: 'a', resumeAt: 'u' };
  const done = await rewind(await plan(0), { session: 's', to: 'x', conversation }, {}, dir);
  expect(done).toMatchObject({ files: 0, id: expect.stringMatching(/./) });
  expect(await placeToGoOn({ id: 's', runs: [] }, dir)).toEqual(conversation);
  expect(await undoRewind('s', dir)).toMatchObject({ files: 0, left: [] });
  expect(await placeToGoOn({ id: 's', runs: [] }, dir)).toBeUndefined();
});
