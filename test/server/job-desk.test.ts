/** What a hub does about jobs by itself: silent workers lose theirs, budgets hold them back, and the log tells it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBudgetWatch } from '../../src/server/budget-watch.js';
import { createJobDesk } from '../../src/server/job-desk.js';
import type { Principal } from '../../src/server/principal.js';
import { wholeRun } from '../../src/store/conformance/events.js';
import { type FleetStore, type JobRecord, openStore, type Store } from '../../src/store/index.js';
import { PATIENCE_MS } from '../support/patience.js';

const principal: Principal = { name: 'me', via: 'program', scopes: new Set(['run', 'work']), isKnown: () => true };
const offer = { name: 'w1', projects: ['p'], labels: [], agents: ['fake'], capacity: 1, busy: 0 };

async function openDesk(
  leaseMs: number | undefined,
  change: (fleet: FleetStore) => FleetStore = (fleet) => fleet,
  pollMs = 5,
) {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-desk-'));
  const store = await openStore(join(folder, 'store.db'));
  if (!store.fleet) throw new Error('this store has no fleet');
  const fleet = change(store.fleet);
  const lines: string[] = [];
  let heard = (): void => {};
  const desk = createJobDesk({
    store,
    fleet,
    budgets: createBudgetWatch(fleet.budgets),
    leaseMs,
    pollMs,
    log: (text) => {
      lines.push(text);
      heard();
    },
  });
  onTestFinished(async () => {
    desk.close();
    await store.close();
    await rm(folder, { recursive: true });
  });
  const nextLine = () =>
    new Promise<string>((resolve) => {
      heard = () => {
        const line = lines.shift();
        if (line !== undefined) resolve(line);
      };
      heard();
    });
  const claim = async () => (await desk.claim(offer, principal, new AbortController().signal)).job;
  return { desk, store, fleet, jobs: fleet.jobs, nextLine, claim };
}

test('a worker that waits hears of a new job before anybody looks again', async () => {
  let asked = 0;
  const counted = (fleet: FleetStore): FleetStore => ({
    ...fleet,
    jobs: {
      ...fleet.jobs,
      async claim(...given) {
        const claimed = await fleet.jobs.claim(...given);
        asked += 1;
        return claimed;
      },
    },
  });
  const { desk } = await openDesk(60_000, counted, 1e9);
  const claimed = desk.claim({ ...offer, waitMs: 1e9 }, principal, new AbortController().signal);
  await expect.poll(() => asked).toBe(1);
  const { id } = await desk.post({ project: 'p', agent: 'fake', prompt: 'x' }, principal);
  expect((await claimed).job?.id).toBe(id);
});

test('by default the work of a dead host is told as lost within 30 s: its lease, and some looks for what ran out', async () => {
  const { desk } = await openDesk(undefined);
  expect(desk.leaseMs + 5 * 1000).toBeLessThanOrEqual(30_000);
});

test('a job is for the machines and the labels that it names', async () => {
  const { desk, jobs } = await openDesk(60_000);
  const { id } = await desk.post(
    { project: 'p', agent: 'fake', prompt: 'x', labels: ['gpu'], host: 'w2', again: true },
    principal,
  );
  expect(await jobs.find(id)).toMatchObject({ labels: ['gpu'], host: 'w2', again: true, principal: 'me' });
});

test('a worker that falls silent before it began loses the job, which waits again', async () => {
  const { desk, jobs, nextLine, claim } = await openDesk(1);
  const { id } = await desk.post({ project: 'p', agent: 'fake', prompt: 'x' }, principal);
  expect((await claim())?.id).toBe(id);
  expect(await nextLine()).toBe(`The worker w1 fell silent with the job ${id} (run not begun), which is waiting now.`);
  expect(await jobs.find(id)).toMatchObject({ state: 'waiting' });
});

test('one that falls silent while it runs has lost it, and the run is named', async () => {
  const { desk, jobs, nextLine, claim } = await openDesk(60_000);
  const { id } = await desk.post({ project: 'p', agent: 'fake', prompt: 'x' }, principal);
  const fence = (await claim())?.fence ?? 0;
  expect(await jobs.begin({ id, fence, by: principal.name }, 'run-7', 1)).toBe(true);
  expect(await nextLine()).toBe(`The worker w1 fell silent with the job ${id} (run run-7), which is lost now.`);
});

test('it looks after them again only when it is through', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const looks: (() => void)[] = [];
  const reap = () => new Promise<JobRecord[]>((resolve) => looks.push(() => resolve([])));
  await openDesk(60_000, (fleet) => ({ ...fleet, jobs: { ...fleet.jobs, reap } }));
  vi.advanceTimersByTime(50);
  expect(looks).toHaveLength(1);
  looks[0]?.();
  await expect
    .poll(() => {
      vi.advanceTimersByTime(50);
      return looks.length;
    })
    .toBe(2);
});

const budget = { id: 'b', project: 'p', period: 'day', usd: 1, running: 'finish', unknown: 'count' } as const;

async function spend(store: Store, usd: number): Promise<void> {
  await store.startRun({ runId: 'r0', agent: 'fake', startedAt: Date.now(), project: 'p' });
  await store.append(wholeRun({ runId: 'r0', at: Date.now() }, { usd }));
}

test('what is claimed when all was spent a moment ago is not begun with nothing: it is parked, and the worker goes on waiting', async () => {
  const { desk, jobs, store, fleet, claim } = await openDesk(60_000, undefined, 1e9);
  await fleet.budgets.put(budget);
  const { id } = await desk.post({ project: 'p', agent: 'fake', prompt: 'x' }, principal);
  await spend(store, 5);
  expect(await claim()).toBeUndefined();
  expect(await jobs.find(id)).toMatchObject({ state: 'parked', reason: expect.stringContaining('is spent') });
});

test('of however many jobs each is parked, and let go when there is money, whoever else waits', async () => {
  const { desk, jobs, store, fleet } = await openDesk(60_000);
  const post = (project: string) => desk.post({ project, agent: 'fake', prompt: 'x' }, principal);
  const first = await post('p');
  for (let n = 0; n < 120; n += 1) await post('p');
  await fleet.budgets.put(budget);
  await fleet.budgets.put({ ...budget, id: 'q', project: 'q', usd: 1e-9 });
  await spend(store, 5);
  const stateOf = async (id: string) => (await jobs.find(id))?.state;
  await expect.poll(() => stateOf(first.id)).toBe('parked');
  await store.startRun({ runId: 'r1', agent: 'fake', startedAt: Date.now(), project: 'q' });
  await store.append(wholeRun({ runId: 'r1', at: Date.now() }, { usd: 5 }));
  for (let n = 0; n < 120; n += 1) await post('q');
  await fleet.budgets.put({ ...budget, usd: 100 });
  await expect.poll(() => stateOf(first.id), { timeout: PATIENCE_MS }).toBe('waiting');
});
