/** A run that a limit stopped is parked with a known end, goes on once, and hears what a person says of it meanwhile. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  claim,
  claimant,
  goOnAt,
  listParked,
  neverGoOn,
  type ParkedRun,
  parkedEvidence,
  waitToGoOn,
} from '../../src/parking/index.js';
import { parkedBy } from '../../src/parking/park.js';
import { readAllParked, readParked, writeParked } from '../../src/parking/record.js';
import { judge } from '../../src/presence/index.js';
import { openStore } from '../../src/store/index.js';
import { init, result } from '../fake-agent/lines.js';
import { play, temporaryDirectory } from '../fake-agent/play.js';
import { limited } from './limited.js';

const HOUR = 3_600_000;
const RECORD: ParkedRun = {
  ...{
    runId: 'r1',
    agent: 'claude',
    agentSessionId: 's1',
    store: ':memory:',
    parkedAt: 1000,
    until: 5000,
    timesLeft: 2,
  },
};

test.each([
  ['a limit with an end', limited(9_000_000), { until: 9_000_000, window: 'five_hour' }],
  ['a limit without an end', limited(undefined), undefined],
  ['another failure while the limit is near', limited(9_000_000, { status: 'allowed_warning' }), undefined],
  ['a run that finished all the same', [...limited(9_000_000).slice(0, 2), result('done')], undefined],
  ['a run without limits', [init(), result('done')], undefined],
])('the completion of %s', async (_, script, parked) => {
  expect((await play(script).completion).parked).toEqual(parked);
});

test('whoever is cancelled is not parked', async () => {
  const [begin = {}, told = {}] = limited(9_000_000);
  const handle = play([begin, told, { hang: true }]);
  for await (const { type } of handle.events) if (type === 'rate-limit') handle.cancel();
  expect(await handle.completion).not.toHaveProperty('parked');
});

const COMPLETION = {
  ...{ reason: 'failed', turns: 1, durationMs: 1, sessionId: 's1', parked: { until: 60_000 } },
  open: { tools: [], tasks: [], approvals: [], processes: [] },
} as const;
const OPTIONS = { runId: 'r', agent: 'claude', request: {}, store: 'here', random: () => 0 };

test.each([
  ['only a person lets it go on without a word before', {}, {}, { until: 60_000, timesLeft: 0 }],
  ['a fifth of the jitter at least', {}, { goOn: { times: 3 } }, { goesOnAt: 120_000, timesLeft: 3 }],
  ['all of it at most', {}, { goOn: { times: 3 }, random: () => 1 }, { goesOnAt: 360_000 }],
  ['jitter as it is set', {}, { goOn: { times: 1, jitterMs: 0 } }, { goesOnAt: 60_000 }],
  ['a limit that is over by then', { parked: { until: 3 } }, { goOn: { times: 1, jitterMs: 0 } }, { goesOnAt: 50_000 }],
  ['as often as it may', {}, { goOn: { times: 0 } }, { failed: expect.stringContaining('as many limits') }],
  [
    'within its budget',
    { cost: { usd: 1.5, scope: 'session', origin: 'reported' } },
    { goOn: { times: 1 }, request: { budgetUsd: 2 } },
    { budgetUsd: 0.5, goesOnAt: 120_000 },
  ],
  [
    'not beyond its budget',
    { usage: { inputTokens: 90, outputTokens: 20 } },
    { goOn: { times: 1 }, request: { budgetTokens: 100 } },
    { budgetTokens: 0, failed: 'its budget is used up' },
  ],
])('parked: %s', (_, facts, options, expected) => {
  const record = parkedBy({ ...COMPLETION, ...facts } as never, 50_000, { ...OPTIONS, ...options });
  expect(record).toMatchObject(expected);
  expect(record && 'goesOnAt' in record).toBe('goesOnAt' in expected);
});

test('what has no name of its agent, or no limit, is not parked', () => {
  expect(parkedBy({ ...COMPLETION, sessionId: undefined } as never, 1, OPTIONS)).toBeUndefined();
  const { parked: _, ...unlimited } = COMPLETION;
  expect(parkedBy(unlimited as never, 1, OPTIONS)).toBeUndefined();
});

test('one alone goes on with it, and the next one only when that one is dead', async () => {
  const dir = temporaryDirectory();
  const [one, other] = await Promise.all([claim(dir, 'r'), claim(dir, 'r')]);
  // The same process: both are it.
  expect([one, other]).toEqual([true, true]);
  expect(await claimant(dir, 'r')).toMatchObject({ pid: process.pid });
  expect(readdirSync(dir).filter((name) => name.startsWith('r.claim-'))).toHaveLength(1);
  const child = spawn('sleep', ['600']);
  const { pid = 0 } = child;
  const startTime = await import('../../src/run/process/process-table.js').then(
    async ({ readProcess }) => (await readProcess(pid))?.startTime,
  );
  writeFileSync(path.join(dir, 'q.claim-1'), JSON.stringify({ pid, startTime }));
  expect(await claim(dir, 'q')).toBe(false);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await claim(dir, 'q')).toBe(true);
  expect(existsSync(path.join(dir, 'q.claim-2'))).toBe(true);
});

test('who waits hears now, later and never', async () => {
  const dir = temporaryDirectory();
  const never = new AbortController().signal;
  const wait = (now: number, signal = never, onTick?: () => void) =>
    waitToGoOn('r1', { dir, signal, now: () => now, ...(onTick && { onTick }) });
  writeParked(dir, { ...RECORD, goesOnAt: 6000 });
  expect(await wait(6000)).toMatchObject({ goesOnAt: 6000 });
  // Later than it was to be, then at once.
  await goOnAt((await readParked(dir, 'r1')) ?? RECORD, 50_000, dir);
  let ticks = 0;
  const heard = wait(7000, never, () => {
    ticks += 1;
    void goOnAt({ ...RECORD, goesOnAt: 50_000 }, 7000, dir);
  });
  expect(await heard).toMatchObject({ goesOnAt: 7000 });
  expect(ticks).toBe(1);
  writeParked(dir, { ...RECORD, goesOnAt: 50_000 });
  expect(await wait(7000, never, () => void neverGoOn(RECORD, dir))).toBeUndefined();
  writeParked(dir, { ...RECORD, goesOnAt: 50_000 });
  const stop = new AbortController();
  expect(await wait(7000, stop.signal, () => stop.abort())).toBeUndefined();
  expect(await readAllParked(dir)).toHaveLength(1);
});

test('a session that went on by whoever’s hand, is gone or is too old is no longer parked', async () => {
  const dir = temporaryDirectory();
  await using store = await opened();
  const now = Date.now();
  const kept = async (runId: string, resumes?: string) => {
    await store.startRun({ runId, agent: 'claude', startedAt: now, owned: false, ...(resumes && { resumes }) });
    const at = { runId, seq: 1, at: now, turn: 0, source: 'agent', sessionId: `s-${runId}` } as const;
    await store.append([{ ...at, type: 'session-start' } as never]);
    await store.endRun(runId);
  };
  for (const runId of ['still', 'resumed', 'old']) await kept(runId);
  await kept('next', 's-resumed');
  const record = { ...RECORD, until: now + HOUR, parkedAt: now };
  writeParked(dir, { ...record, runId: 'still', window: 'five_hour' });
  writeParked(dir, { ...record, runId: 'resumed' });
  writeParked(dir, { ...record, runId: 'old', until: now - 8 * 24 * HOUR });
  writeParked(dir, { ...record, runId: 'deleted', parkedAt: now - HOUR });
  writeParked(dir, { ...record, runId: 'elsewhere', store: 'another' });
  writeFileSync(path.join(dir, 'torn.json'), '{"runId":');
  const listed = await listParked(store, { dir, now });
  expect(listed.map(({ record: { runId } }) => runId)).toEqual(['still']);
  expect((await readAllParked(dir)).map(({ runId }) => runId).sort()).toEqual(['elsewhere', 'still']);
  const [evidence] = listed.map(parkedEvidence);
  expect(judge([...(evidence ? [evidence] : []), { source: 'run', says: 'ended', at: now, text: '' }])).toMatchObject({
    ...{ state: 'parked', until: now + HOUR },
    because: [{ text: 'stopped by a limit of the account (five_hour); goes on when somebody says so' }],
  });
});

async function opened() {
  const store = await openStore(':memory:');
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}
