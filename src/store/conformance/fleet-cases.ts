/** The contract of what a fleet shares. A store that keeps only events has none of it, and nothing to show here. */
import assert from 'node:assert/strict';
import type { FleetStore } from '../fleet/fleet.js';
import type { NewJob, WorkerOffer } from '../fleet/job-record.js';
import type { Store } from '../store.js';
import { type Check, has, keep } from './case.js';
import { START } from './events.js';

type FleetCheck = (fleet: FleetStore, other: FleetStore, store: Store) => Promise<void>;

/** In two processes at once. */
function fleetCase(name: string, run: FleetCheck): Check {
  return {
    name,
    async run(open) {
      const store = await open();
      const { fleet } = store;
      const other = fleet && (await open()).fleet;
      if (fleet && other) await run(fleet, other, store);
    },
  };
}

const LEASE = 60_000;
/** It is over when it is given. */
const NO_LEASE = -1;

const job = (id: string, facts: Partial<NewJob> = {}): NewJob => ({
  id,
  spec: { agent: 'fake', prompt: `do ${id}` },
  project: 'shop',
  principal: 'ann',
  ...facts,
});

const offer = (facts: Partial<WorkerOffer> = {}): WorkerOffer => ({
  name: 'w1',
  principal: 'runner',
  labels: ['linux', 'gpu'],
  projects: ['shop', 'blog'],
  agents: ['fake'],
  capacity: 2,
  busy: 0,
  ...facts,
});

export const tokenCases: Check[] = [
  fleetCase('a token is found by its digest, in every process, until it is revoked', async ({ tokens }, other) => {
    const token = {
      id: 't1',
      name: 'ci',
      digest: 'abc',
      scopes: ['view', 'run'],
      projects: ['shop'],
      createdBy: 'ann',
    };
    has(await tokens.add(token), { id: 't1', name: 'ci', projects: ['shop'], holds: true });
    has(await other.tokens.find('abc'), { id: 't1', scopes: ['view', 'run'], createdBy: 'ann', holds: true });
    assert.equal(await other.tokens.find('abd'), undefined);
    has(await tokens.list(), [{ id: 't1', holds: true }]);
    assert.equal((await tokens.list())[0]?.usedAt === undefined, false, 'that it was used is known');
    assert.equal(await tokens.revoke('t1'), true);
    assert.equal(await tokens.revoke('t1'), false);
    has(await other.tokens.find('abc'), { holds: false });
  }),
  fleetCase('a token that is too old holds no longer', async ({ tokens }) => {
    const token = { name: 'ci', scopes: ['view'], createdBy: 'ann' };
    await tokens.add({ ...token, id: 't1', digest: 'abc', lifeMs: -1 });
    await tokens.add({ ...token, id: 't2', digest: 'abd', lifeMs: LEASE });
    has(await tokens.find('abc'), { id: 't1', holds: false });
    has(await tokens.find('abd'), { id: 't2', holds: true });
    assert.equal((await tokens.find('abd'))?.projects, undefined);
  }),
];

export const auditCases: Check[] = [
  fleetCase('what was done is told, the latest first, page by page', async ({ audit }, other) => {
    for (const subject of ['one', 'two', 'three']) await audit.add({ principal: 'ann', deed: 'stop', subject });
    await other.audit.add({ principal: 'bob', deed: 'approve', subject: 'one', project: 'shop', detail: 'late' });
    const first = await audit.list({ limit: 2 });
    const rest = await audit.list({ limit: 2, ...(first.cursor !== undefined && { cursor: first.cursor }) });
    assert.equal(rest.cursor, undefined);
    const told = [...first.items, ...rest.items];
    assert.equal(new Set(told.map(({ id }) => id)).size, 4);
    assert.deepEqual(
      told.map(({ at }) => at),
      told.map(({ at }) => at).toSorted((a, b) => b - a),
    );
    has((await audit.list({ principal: 'bob' })).items, [{ deed: 'approve', project: 'shop', detail: 'late' }]);
    assert.equal((await audit.list({ subject: 'one' })).items.length, 2);
  }),
];

export const jobCases: Check[] = [
  fleetCase('a job goes to one worker, that has what it asks for', async ({ jobs }, other) => {
    has(await jobs.post(job('j1', { labels: ['gpu'], again: true })), {
      state: 'waiting',
      labels: ['gpu'],
      again: true,
    });
    assert.equal(await other.jobs.isWaiting(), true);
    for (const lacking of [{ labels: ['linux'] }, { labels: [] }, { projects: ['blog'] }, { agents: [] }]) {
      assert.equal(await jobs.claim(offer(lacking), LEASE), undefined);
    }
    const claimed = await Promise.all([jobs.claim(offer(), LEASE), other.jobs.claim(offer({ name: 'w2' }), LEASE)]);
    const taken = claimed.filter((one) => one !== undefined);
    has(taken, [{ id: 'j1', fence: 1, project: 'shop', principal: 'ann', again: true, spec: { prompt: 'do j1' } }]);
    assert.equal(await jobs.isWaiting(), false);
    has(await other.jobs.find('j1'), { state: 'claimed', attempt: 1 });
  }),
  fleetCase('the oldest goes first, and one for a host goes to that alone', async ({ jobs }) => {
    await jobs.post(job('j1', { host: 'w2' }));
    await jobs.post(job('j2'));
    has(await jobs.claim(offer(), LEASE), { id: 'j2' });
    assert.equal(await jobs.claim(offer(), LEASE), undefined);
    has(await jobs.claim(offer({ name: 'w2' }), LEASE), { id: 'j1' });
  }),
  fleetCase('of many who claim at once each gets a job of its own', async ({ jobs }, other) => {
    const ids = Array.from({ length: 12 }, (_, index) => `j${index}`);
    for (const id of ids) await jobs.post(job(id));
    const claimed = await Promise.all(ids.map((_, index) => (index % 2 ? jobs : other.jobs).claim(offer(), LEASE)));
    assert.equal(new Set(claimed.map((one) => one?.id)).size, ids.length);
  }),
  fleetCase('who has it says what becomes of it, with the fence that it was given', async ({ jobs }, other) => {
    await jobs.post(job('j1'));
    const hold = await jobs.claim(offer(), LEASE);
    assert.ok(hold);
    assert.equal(await other.jobs.begin({ ...hold, fence: 2 }, 'r0', LEASE), false);
    assert.equal(await other.jobs.begin({ ...hold, by: 'another' }, 'r0', LEASE), false);
    assert.equal(await other.jobs.begin({ ...hold, by: 'runner' }, 'r1', LEASE), true);
    assert.equal(await other.jobs.begin(hold, 'r1', LEASE), true, 'said twice');
    assert.equal(await other.jobs.begin(hold, 'r2', LEASE), false);
    has(await jobs.find('j1'), { state: 'running', runId: 'r1', worker: 'w1' });
    assert.equal(await jobs.refuse(hold, 'too late'), false);
    assert.deepEqual(await jobs.beat([hold, { id: 'j2', fence: 1 }], LEASE), [{ id: 'j1', cancelled: false }]);
    assert.equal(await jobs.end({ ...hold, fence: 0 }, 'finished'), false);
    assert.equal(await jobs.end(hold, 'finished'), true);
    assert.equal(await jobs.end(hold, 'failed'), false, 'it ends once');
    has(await jobs.find('j1'), { state: 'ended', outcome: 'finished' });
    assert.deepEqual(await jobs.beat([hold], LEASE), []);
  }),
  fleetCase('a worker may refuse what it has not begun', async ({ jobs }) => {
    await jobs.post(job('j1'));
    const hold = await jobs.claim(offer(), LEASE);
    assert.ok(hold);
    assert.equal(await jobs.refuse(hold, 'not here'), true);
    has(await jobs.find('j1'), { state: 'refused', reason: 'not here' });
    assert.equal(await jobs.begin(hold, 'r1', LEASE), false);
    assert.equal(await jobs.claim(offer(), LEASE), undefined);
  }),
  fleetCase('what a silent worker had not begun goes to another, and it cannot begin it any more', async ({ jobs }) => {
    await jobs.post(job('j1'));
    const silent = await jobs.claim(offer(), NO_LEASE);
    assert.ok(silent);
    has(await jobs.reap(), [{ id: 'j1', state: 'waiting' }]);
    has(await jobs.claim(offer({ name: 'w2' }), LEASE), { id: 'j1', fence: 2, spec: { prompt: 'do j1' } });
    assert.equal(await jobs.begin(silent, 'r1', LEASE), false);
    assert.deepEqual(await jobs.beat([silent], LEASE), []);
    assert.deepEqual(await jobs.reap(), []);
  }),
  fleetCase('what a silent worker had begun is lost and never run again, but may still end', async ({ jobs }) => {
    await jobs.post(job('j1'));
    const silent = await jobs.claim(offer(), LEASE);
    assert.ok(silent);
    await jobs.begin(silent, 'r1', NO_LEASE);
    has(await jobs.reap(), [{ id: 'j1', state: 'lost', runId: 'r1', worker: 'w1' }]);
    assert.equal(await jobs.claim(offer(), LEASE), undefined);
    assert.deepEqual(await jobs.beat([silent], LEASE), [{ id: 'j1', cancelled: false }]);
    has(await jobs.find('j1'), { state: 'running' });
    assert.equal(await jobs.lose(silent, 'It was killed.'), true);
    has(await jobs.find('j1'), { state: 'lost', reason: 'It was killed.' });
    assert.equal(await jobs.end(silent, 'finished'), true);
  }),
  fleetCase('what came too late for a run is named in it, by who has the run alone', async ({ jobs }, other, store) => {
    const start = { agent: 'fake', startedAt: START, project: 'shop' };
    for (const [runId, principal] of [
      ['r1', 'runner'],
      ['r2', 'another'],
    ] as const)
      await store.startRun({ ...start, runId, principal });
    await jobs.post(job('j1', { again: true }));
    const hold = await jobs.claim(offer(), LEASE);
    assert.ok(hold);
    await jobs.begin(hold, 'r1', LEASE);
    const told = 'Events 1 to 3 came too late.';
    const own = { id: 'j1', fence: hold.fence, by: 'runner' };
    assert.equal(await other.jobs.lose(own, told, 'r2'), true);
    // The job waits for another by now, and the run is still that of who says it.
    assert.equal(await other.jobs.lose({ ...own, by: 'another' }, 'Mine.', 'r1'), false);
    assert.equal(await other.jobs.lose(own, told, 'r1'), false);
    const refused = async (id: string) => (await store.session(id))?.runs[0]?.refused;
    assert.deepEqual([await refused('r1'), await refused('r2')], [told, undefined]);
  }),
  fleetCase('what may be run again is, until that has been tried often enough', async ({ jobs }) => {
    await jobs.post(job('j1', { again: true }));
    const fences: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const hold = await jobs.claim(offer(), LEASE);
      assert.ok(hold, `round ${round}`);
      fences.push(hold.fence);
      assert.equal(await jobs.begin(hold, `r${round}`, LEASE), true);
      assert.equal(await jobs.lose(hold, 'gone'), true);
      assert.equal(await jobs.end(hold, 'finished'), round === 4, 'a job that waits again is nobody’s');
    }
    assert.deepEqual(fences, [1, 2, 3, 4, 5]);
    assert.equal(await jobs.claim(offer(), LEASE), undefined);
  }),
  fleetCase('what is cancelled is not begun, and who has begun it hears so', async ({ jobs }, other) => {
    for (const id of ['j1', 'j2', 'j3']) await jobs.post(job(id));
    const [one, two] = [await jobs.claim(offer(), LEASE), await jobs.claim(offer(), LEASE)];
    assert.ok(one && two);
    await jobs.begin(one, 'r1', LEASE);
    for (const id of ['j1', 'j2']) has(await other.jobs.cancel(id), { cancelled: true });
    has(await other.jobs.cancel('j3'), { state: 'cancelled' });
    assert.equal(await other.jobs.cancel('j4'), undefined);
    assert.equal(await jobs.begin(two, 'r2', LEASE), false);
    assert.deepEqual(await jobs.beat([one], LEASE), [{ id: 'j1', cancelled: true }]);
    assert.equal(await jobs.end(one, 'cancelled'), true);
    assert.equal(await jobs.claim(offer(), LEASE), undefined);
  }),
  fleetCase('what is parked waits until it is let go', async ({ jobs }) => {
    has(await jobs.post(job('j1', { parked: 'spent' })), { state: 'parked', reason: 'spent' });
    assert.equal(await jobs.claim(offer(), LEASE), undefined);
    const kind = { project: 'shop', principal: 'ann' };
    for (const other of [
      { ...kind, project: 'blog' },
      { ...kind, principal: 'bob' },
    ])
      await jobs.unpark(other);
    assert.deepEqual(await jobs.kinds('parked'), [kind]);
    await jobs.unpark(kind);
    await jobs.park(kind, 'spent again');
    has(await jobs.find('j1'), { state: 'parked', reason: 'spent again' });
    await jobs.unpark(kind);
    has(await jobs.claim(offer(), LEASE), { id: 'j1' });
    await jobs.park(kind, 'too late');
    has(await jobs.find('j1'), { state: 'claimed' });
  }),
  fleetCase('what was claimed and must not begin is given back, which is no attempt', async ({ jobs }) => {
    for (const id of ['j1', 'j2']) await jobs.post(job(id));
    const [one, two] = [await jobs.claim(offer(), LEASE), await jobs.claim(offer(), LEASE)];
    assert.ok(one && two);
    assert.equal(await jobs.giveBack({ ...one, fence: one.fence - 1 }, 'spent'), false);
    assert.equal(await jobs.giveBack({ ...one, by: 'somebody' }, 'spent'), false);
    assert.equal(await jobs.giveBack(one, 'spent'), true);
    has(await jobs.find('j1'), { state: 'parked', reason: 'spent', attempt: 0 });
    assert.equal(await jobs.begin(one, 'r1', LEASE), false);
    await jobs.cancel('j2');
    assert.equal(await jobs.giveBack(two, 'spent'), true);
    has(await jobs.find('j2'), { state: 'cancelled' });
    await jobs.unpark({ project: 'shop', principal: 'ann' });
    has(await jobs.claim(offer(), LEASE), { id: 'j1', fence: 2 });
  }),
  fleetCase('jobs are listed, the latest first, by state, project and principal', async ({ jobs }) => {
    await jobs.post(job('j1', { project: 'blog' }));
    await jobs.post(job('j2', { principal: 'bob', parked: 'spent' }));
    const listed = async (query: Parameters<typeof jobs.list>[0]) => (await jobs.list(query)).items.map(({ id }) => id);
    assert.deepEqual((await listed({})).toSorted(), ['j1', 'j2']);
    assert.deepEqual(await listed({ state: 'parked' }), ['j2']);
    assert.deepEqual(await listed({ projects: ['blog', 'x'] }), ['j1']);
    assert.deepEqual(await listed({ projects: [] }), []);
    assert.deepEqual(await listed({ principal: 'bob' }), ['j2']);
    assert.equal((await listed({ limit: 1 })).length, 1);
  }),
  fleetCase('workers are known by what they offered last', async ({ workers }, other) => {
    await workers.note(offer({ name: 'w2' }));
    await workers.note(offer({ busy: 1 }));
    await other.workers.note(offer({ busy: 2, labels: ['linux'] }));
    has(await workers.list(), [
      { name: 'w1', busy: 2, labels: ['linux'], isHere: true },
      { name: 'w2', busy: 0 },
    ]);
  }),
  fleetCase(
    'a worker that has as much as it can do asks for no more, and is as busy as what it holds',
    async (fleet) => {
      const { jobs, workers } = fleet;
      await jobs.post(job('j1'));
      await workers.note(offer({ capacity: 1 }));
      const hold = await jobs.claim(offer({ capacity: 1 }), LEASE);
      assert.ok(hold);
      has(await workers.list(), [{ name: 'w1', busy: 1, isHere: true }]);
      await jobs.refuse(hold, 'no');
      has(await workers.list(), [{ name: 'w1', busy: 0 }]);
    },
  ),
];

export const budgetCases: Check[] = [
  fleetCase('a budget knows what its project and principal spent', async ({ budgets, jobs }, other, store) => {
    const budget = { period: 'day', usd: 5, running: 'end', unknown: 'count' } as const;
    await budgets.put({ id: 'b1', ...budget, project: 'shop' });
    await budgets.put({ id: 'b2', ...budget, principal: 'ann' });
    await other.budgets.put({ id: 'b2', ...budget, principal: 'bob', usd: 7 });
    has(
      (await budgets.list()).toSorted((a, b) => a.id.localeCompare(b.id)),
      [
        { id: 'b1', project: 'shop', usd: 5 },
        { id: 'b2', principal: 'bob', usd: 7, running: 'end' },
      ],
    );
    const start = { agent: 'fake', startedAt: START };
    await store.startRun({ ...start, runId: 'r1', project: 'shop', principal: 'ann' });
    await store.startRun({ ...start, runId: 'r2', project: 'blog', principal: 'bob' });
    await keep(store, { runId: 'r1' }, { usd: 2 });
    await keep(store, { runId: 'r2' }, { usd: 3 });
    await jobs.post(job('j1', { principal: 'cat' }));
    const hold = await jobs.claim(offer(), LEASE);
    assert.ok(hold);
    await jobs.begin(hold, 'r3', LEASE);
    await store.startRun({ ...start, runId: 'r3', project: 'shop', principal: 'runner' });
    await keep(store, { runId: 'r3' });
    assert.deepEqual(await budgets.spent({}, 0), { usd: 5, unknownRuns: 1 });
    assert.deepEqual(await budgets.spent({ project: 'shop' }, 0), { usd: 2, unknownRuns: 1 });
    assert.deepEqual(await budgets.spent({ project: 'blog', principal: 'bob' }, 0), { usd: 3, unknownRuns: 0 });
    assert.deepEqual(await budgets.spent({ project: 'shop', principal: 'bob' }, 0), { usd: 0, unknownRuns: 0 });
    assert.deepEqual(await budgets.spent({ principal: 'cat' }, 0), { usd: 0, unknownRuns: 1 });
    assert.equal((await budgets.spent({}, START + 1e12)).usd, 0);
    assert.equal(await budgets.remove('b1'), true);
    assert.equal(await budgets.remove('b1'), false);
    assert.ok((await budgets.now()) > START - 1e12);
  }),
];

export const projectCases: Check[] = [
  {
    name: 'a run says for which project and whose it is, and sessions are found by the names of projects',
    async run(open) {
      const store = await open();
      const start = { agent: 'fake', startedAt: START };
      has(await store.startRun({ ...start, runId: 'r1', project: 'shop', principal: 'ann' }), {
        project: 'shop',
        principal: 'ann',
      });
      await store.startRun({ ...start, runId: 'r2' });
      const found = await store.list({ projects: ['shop', 'blog'] });
      has(found.items, [{ runs: [{ runId: 'r1', project: 'shop' }] }]);
      assert.equal((await store.list({ projects: [] })).items.length, 0);
    },
  },
  {
    name: 'a run joins no session that is for another project, whatever it says that it continues',
    async run(open) {
      const store = await open();
      const start = { agent: 'fake', startedAt: START, resumes: 'a1' };
      const first = await store.startRun({ ...start, runId: 'r1', project: 'shop' });
      const other = await store.startRun({ ...start, runId: 'r2', project: 'blog' });
      assert.notEqual(other.session, first.session);
      assert.equal((await store.startRun({ ...start, runId: 'r3', project: 'shop' })).session, first.session);
    },
  },
];
