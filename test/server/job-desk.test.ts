/** What a hub does about jobs by itself: silent workers lose theirs, budgets hold them back, and the log tells it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBudgetWatch } from '../../src/server/budget-watch.js';
import { createJobDesk } from '../../src/server/job-desk.js';
import type { Principal } from '../../src/server/principal.js';
import { type FleetStore, type JobRecord, openStore } from '../../src/store/index.js';

const principal: Principal = { name: 'me', via: 'program', scopes: new Set(['run', 'work']), isKnown: () => true };
const offer = { name: 'w1', projects: ['p'], labels: [], agents: ['fake'], capacity: 1, busy: 0 };

async function openDesk(leaseMs: number, change: (fleet: FleetStore) => FleetStore = (fleet) => fleet) {
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
    pollMs: 5,
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
  return { desk, jobs: fleet.jobs, nextLine, claim };
}

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
