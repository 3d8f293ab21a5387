/** The cases for stores themselves: each way to break the contract is seen by one, and whatever a case opened is closed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type FleetStore,
  openStore,
  type Store,
  type StorePlace,
  type TokenRecord,
  testStore,
} from '../../src/store.js';

/** Places whose stores do something else than the contract says. */
async function placeWith(change: (store: Store) => Partial<Store>): Promise<StorePlace> {
  const folder = await mkdtemp(join(tmpdir(), 'glassbox-store-'));
  const open = async () => {
    const store = await openStore(join(folder, 'store.db'));
    return { ...store, ...change(store) };
  };
  return { open, remove: () => rm(folder, { recursive: true }) };
}

/** The store with another fleet. */
function withFleet(change: (fleet: FleetStore) => Partial<FleetStore>): (store: Store) => Partial<Store> {
  return ({ fleet }) => (fleet ? { fleet: { ...fleet, ...change(fleet) } } : {});
}

test.each<[what: string, by: string, change: (store: Store) => Partial<Store>]>([
  [
    'more is acknowledged than is kept',
    'events: what was appended is read back, with its schema, also after opening again',
    (store) => ({ append: async (events) => (await store.append(events)) + 1 }),
  ],
  [
    'everything is read, wherever it should begin',
    'events: reading begins where it is told to',
    (store) => ({ read: (runId) => store.read(runId) }),
  ],
  [
    'the latest is any',
    'sessions: a start that failed or was empty is never the latest, and is left out where only work is wanted',
    (store) => ({ session: async (ref) => (ref === 'latest' ? (await store.list()).items[0] : store.session(ref)) }),
  ],
  [
    'what an agent calls its session goes before what we do',
    'sessions: what an agent calls its session, where that looks like an id of another one, does not take its place',
    (store) => ({
      session: async (ref) =>
        (await store.list()).items.find(({ agentSessionId }) => agentSessionId === ref) ?? store.session(ref),
    }),
  ],
  [
    'a fork is no fork',
    'sessions: a run that resumes joins the session, a fork gets its own',
    (store) => ({ startRun: (start) => store.startRun({ ...start, fork: false }) }),
  ],
  [
    'what is brought is added to what was there',
    'sources: several come at once, each in the place of what was there, and one without events goes',
    (store) => ({ keepRuns: (runs) => store.keepRuns(runs.filter(({ events }) => events.length > 0)) }),
  ],
  [
    'figures are all there is',
    'sources: figures alone count as the whole does, and the whole takes their place',
    (store) => ({ keepRuns: (runs) => store.keepRuns(runs.map((run) => ({ ...run, onlyFigures: true }))) }),
  ],
  [
    'what was owned once is never replaced',
    'sources: one that somebody owned and let go is replaced like any other',
    () => ({ keepRuns: async (runs) => runs.map(({ start }) => start.runId) }),
  ],
  [
    'a name goes and comes back',
    'labels: a name that a person gives goes before every other, is found, and can be taken back',
    (store) => ({ label: (id, { name, ...label }) => store.label(id, { ...label, ...(name && { name }) }) }),
  ],
  [
    'what is pinned is not known by it',
    'labels: those that are pinned are listed alone, or the others',
    (store) => ({ list: ({ pinned: _, ...query } = {}) => store.list(query) }),
  ],
  [
    'what is archived is not known by it',
    'labels: what is archived is listed alone or left out, and is back when it goes on or somebody says so',
    (store) => ({ list: ({ archived: _, ...query } = {}) => store.list(query) }),
  ],
  [
    'a dry run is wet',
    'labels: pruning leaves what is pinned and what runs, and says what goes, or what would',
    (store) => ({ prune: ({ dryRun: _, ...query }) => store.prune(query) }),
  ],
  [
    'nobody owns a run',
    'owners: who starts a run owns it, and nobody else starts, writes, ends or hears for it',
    (store) => ({ startRun: (start) => store.startRun({ ...start, owned: false }) }),
  ],
  [
    'what is told is always done',
    'the channel to an owner: what is not there, not open or over is told at once',
    () => ({ tell: async () => ({ outcome: 'done' }) }),
  ],
  [
    'a filter is left out',
    'list: sessions are found by every filter',
    (store) => ({ list: ({ maxUsd: _, ...query } = {}) => store.list(query) }),
  ],
  [
    'there is one page',
    'list: page by page',
    (store) => ({ list: async (query) => ({ items: (await store.list(query)).items }) }),
  ],
  [
    'the tool does not matter',
    'search: words are found wherever they were said, within every filter',
    (store) => ({ search: ({ tool: _, ...query }) => store.search(query) }),
  ],
  [
    'a sum is surer than its parts',
    'totals: by every property; a sum with an unknown part is a lower bound',
    (store) => ({
      totals: async (query) =>
        (await store.totals(query)).map(({ spent, ...total }) => ({
          ...total,
          ...(spent && { spent: { ...spent, origin: 'reported' } }),
        })),
    }),
  ],
  [
    'a part of what was spent was for nothing',
    'totals: by cause: what was spent for it, which is all of it',
    (store) => ({ totals: async (query) => (await store.totals(query)).slice(0, 1) }),
  ],
  [
    'a limit that was told earlier takes the place of a later one',
    'limits: each window as its agent told it last; what was not told by windows is not there',
    (store) => ({ limits: async () => (await store.limits()).map((limit) => ({ ...limit, at: 0 })) }),
  ],
  [
    'what was not known is counted for ever',
    'drift: what was not known is counted by agent and version, whenever the version is told',
    (store) => ({ drift: () => store.drift() }),
  ],
  [
    'who comes in is not asked whether it may still',
    'tokens: a token that is too old holds no longer',
    withFleet(({ tokens }) => ({
      tokens: { ...tokens, find: async (digest) => ({ ...(await tokens.find(digest)), holds: true }) as TokenRecord },
    })),
  ],
  [
    'a fence is not looked at',
    'jobs: who has it says what becomes of it, with the fence that it was given',
    withFleet(({ jobs }) => ({
      jobs: { ...jobs, begin: (hold, run, ms) => jobs.begin({ ...hold, fence: 1 }, run, ms) },
    })),
  ],
  [
    'what was begun is run again',
    'jobs: what a silent worker had begun is lost and never run again, but may still end',
    withFleet(({ jobs }) => ({ jobs: { ...jobs, post: (job) => jobs.post({ ...job, again: true }) } })),
  ],
  [
    'who spent it does not matter',
    'budgets: a budget knows what its project and principal spent',
    withFleet(({ budgets }) => ({
      budgets: { ...budgets, spent: ({ project }, since) => budgets.spent({ project }, since) },
    })),
  ],
  [
    'what was decided is told without its end',
    'the channel to an owner: what was decided is listed, the latest first, with what was asked and who decided',
    (store) => ({ decisions: async () => (await store.decisions()).reverse() }),
  ],
  ['nothing is deleted', 'removing: a deleted session leaves nothing behind', () => ({ delete: async () => {} })],
])('it is seen when %s', async (_, by, change) => {
  let left = 0;
  const cases = testStore(async () => {
    const { open, remove } = await placeWith(change);
    left += 1;
    const opened = async () => {
      const store = await open();
      left += 1;
      const close = () => store.close().finally(() => (left -= 1));
      return { ...store, close };
    };
    return { open: opened, remove: () => remove().finally(() => (left -= 1)) };
  });
  const broken = cases.find(({ name }) => name === by);
  await expect(broken?.run()).rejects.toThrow();
  expect(left, 'stores and places that are left').toBe(0);
});
