/** Answers to one question from several places: the agent hears one, and everybody is told the truth about theirs. */
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KeptRun, keepRun } from '../../src/server/index.js';
import { openStore, type Store } from '../../src/store/index.js';
import { ask, init, result, toolUse } from '../fake-agent/lines.js';
import { scripted, temporaryDirectory } from '../fake-agent/play.js';

const input = { command: 'touch a' };
const asking = [init(), toolUse('t1', 'Bash', input), ask('q1', 't1', 'Bash', input), { hear: 'q1' }, result('ok')];
const allow = { type: 'approve', by: 'person' } as const;

let owner: Store;
let other: Store;
let kept: KeptRun;

beforeEach(async () => {
  const file = path.join(temporaryDirectory(), 'store.db');
  [owner, other] = [await openStore(file), await openStore(file)];
  kept = keepRun(scripted(asking), { store: owner });
  while ((await other.approvals()).length === 0);
});
afterEach(async () => {
  kept.handle.cancel();
  await kept.done;
  await owner.close();
  await other.close();
});

test('an answer from another process is accepted when the agent has heard it', async () => {
  expect(await other.decide(kept.handle.runId, 'q1', allow)).toBe('accepted');
  expect(kept.handle.pending()).toEqual([]);
  expect(await kept.done).toMatchObject({ reason: 'finished' });
});

test('an answer that comes a moment after one from here is late, before that one is written', async () => {
  expect(kept.handle.deny('q1')).toBe(true);
  expect(await other.decide(kept.handle.runId, 'q1', allow)).toBe('late');
});

test('of many answers from here and there exactly one is accepted', async () => {
  const answers = [other, owner, other].map((store) => store.decide(kept.handle.runId, 'q1', allow));
  const here = kept.handle.deny('q1');
  const accepted = (await Promise.all(answers)).filter((one) => one === 'accepted').length + Number(here);
  expect(accepted).toBe(1);
});

test('an answer that makes no sense is refused with its reason, and a better one is still heard', async () => {
  const nonsense = { ...allow, changes: { '/nothing/here': 'x' } };
  await expect(other.decide(kept.handle.runId, 'q1', nonsense)).rejects.toMatchObject({
    code: 'invalid-request',
    message: expect.stringContaining('does not have'),
  });
  expect(await other.approvals()).toHaveLength(1);
  expect(await other.decide(kept.handle.runId, 'q1', allow)).toBe('accepted');
});
