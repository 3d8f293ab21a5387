/** Answers to one question from several places: the agent hears one, and everybody is told the truth about theirs. */
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Answer } from '../../src/event/index.js';
import { type KeptRun, keepRun, openStore, type Store } from '../../src/store/index.js';
import { ask, init, result, toolUse } from '../fake-agent/lines.js';
import { play, temporaryDirectory } from '../fake-agent/play.js';

const input = { command: 'touch a' };
const asking = [init(), toolUse('t1', 'Bash', input), ask('q1', 't1', 'Bash', input), { hear: 'q1' }, result('ok')];
const allow = { type: 'approve' } as const;

let owner: Store;
let other: Store;
let kept: KeptRun;

beforeEach(async () => {
  const file = path.join(temporaryDirectory(), 'store.db');
  [owner, other] = [await openStore(file), await openStore(file)];
  kept = keepRun(play(asking), { store: owner });
  while ((await other.approvals()).length === 0);
});
afterEach(async () => {
  kept.handle.cancel();
  await kept.done;
  await owner.close();
  await other.close();
});

const tell = (store: Store, answer: Answer = allow) =>
  store.tell(kept.handle.runId, { type: 'answer', approval: 'q1', answer }, { by: 'person' });

test('an answer from another process is accepted when the agent has heard it', async () => {
  expect(await tell(other)).toEqual({ outcome: 'done' });
  expect(kept.handle.pending()).toEqual([]);
  expect(await kept.done).toMatchObject({ reason: 'finished' });
});

test('an answer that comes a moment after one from here is late, before that one is written', async () => {
  expect(kept.handle.deny('q1')).toBe(true);
  expect(await tell(other)).toEqual({ outcome: 'late' });
});

test('an answer from inside a run is refused, and told in the run that was asked', async () => {
  const told: string[] = [];
  const reading = (async () => {
    for await (const event of kept.handle.events) if (event.type === 'warning') told.push(event.code);
  })();
  process.env.GLASSBOX_RUN_ID = 'inner';
  try {
    expect(await tell(other)).toMatchObject({
      outcome: 'refused',
      code: 'forbidden',
      reason: expect.stringContaining('from inside a run'),
    });
  } finally {
    delete process.env.GLASSBOX_RUN_ID;
  }
  expect(kept.handle.pending()).toHaveLength(1);
  expect(await tell(other)).toEqual({ outcome: 'done' });
  await reading;
  expect(told).toEqual(['answer-from-inside']);
});

test('of many answers from here and there exactly one is accepted', async () => {
  const answers = [other, owner, other].map((store) => tell(store));
  const here = kept.handle.deny('q1');
  const accepted = (await Promise.all(answers)).filter(({ outcome }) => outcome === 'done').length + Number(here);
  expect(accepted).toBe(1);
});

test('an answer that makes no sense is refused with its reason, and a better one is still heard', async () => {
  const nonsense = { ...allow, changes: { set: { '/nothing/here': 'x' } } };
  expect(await tell(other, nonsense)).toMatchObject({
    outcome: 'refused',
    code: 'invalid-request',
    reason: expect.stringContaining('does not have'),
  });
  expect(await other.approvals()).toHaveLength(1);
  expect(await tell(other)).toEqual({ outcome: 'done' });
});
