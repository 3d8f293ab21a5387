/** A worker at a real hub: jobs are done once, told once, and what a hub does not hear of waits on disk. */
import { readdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Client, JobRecord, JobRequest } from '../../src/client/index.js';
import { createClient } from '../../src/client/index.js';
import { GlassboxError } from '../../src/event/index.js';
import { wholeRun } from '../../src/store/conformance/events.js';
import { openHub, type Store } from '../../src/store/index.js';
import { openSpool } from '../../src/worker/spool.js';
import { answer, ask, init, result, toolUse } from '../fake-agent/lines.js';
import { PATIENCE_MS } from '../support/patience.js';
import { fleet } from './fleet.js';

const JOB: JobRequest = { agent: 'claude', prompt: 'go', project: 'shop' };

/** When the job is in one of these states. */
async function jobIn(client: Client, { id }: JobRecord, ...states: JobRecord['state'][]): Promise<JobRecord> {
  for (;;) {
    const job = await client.job(id);
    if (states.includes(job.state)) return job;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

test('a job becomes a run of its project, every event is at the hub, and nothing is left on disk', async () => {
  const { client, work, spoolFolder, store } = await fleet(answer('hello'));
  work();
  const posted = await client.postJob({ ...JOB, labels: ['linux'] });
  const job = await jobIn(client, posted, 'ended');
  expect(job).toMatchObject({ outcome: 'finished', worker: 'w1', attempt: 1, principal: 'program' });
  const session = await client.session(job.runId ?? '');
  expect(session).toMatchObject({ state: 'ended', outcome: 'finished', runs: [{ project: 'shop' }] });
  const seqs = [];
  for await (const { seq, fromSeq = seq } of store.read(job.runId ?? '')) seqs.push([fromSeq, seq]);
  for (const [index, [from]] of seqs.entries()) expect(from).toBe((seqs[index - 1]?.[1] ?? 0) + 1);
  await expect.poll(() => readdirSync(spoolFolder)).toEqual([]);
  expect(await client.workers()).toMatchObject([{ name: 'w1', labels: ['linux'], projects: ['shop'], isHere: true }]);
});

test('a question of the agent is answered at the hub, by who may', async () => {
  const lines = [toolUse('t', 'Bash', { command: 'ls' }), ask('q1', 't', 'Bash', { command: 'ls' }), { hear: 'q1' }];
  const { client, work, server, token } = await fleet([init(), ...lines, result('x')]);
  work();
  const { runId = '' } = await jobIn(client, await client.postJob(JOB), 'running');
  // The job is begun a moment before the hub hears of the run.
  await expect.poll(() => client.session(runId).catch(() => undefined)).toBeDefined();
  const runner = createClient({ url: server.url, token });
  for await (const event of client.events(runId)) {
    if (event.type !== 'approval-request') continue;
    await expect(runner.approve(runId, event.id)).rejects.toMatchObject({ status: 403 });
    await client.approve(runId, event.id);
  }
  expect(await client.session(runId)).toMatchObject({ outcome: 'finished' });
});

describe('refused at the worker, and told', () => {
  test('more than its file allows', async () => {
    const { client, work } = await fleet(answer('hello'));
    work();
    const job = await jobIn(client, await client.postJob({ ...JOB, permission: 'accept-edits' }), 'refused');
    expect(job).toMatchObject({ reason: 'This worker allows ask at most, and not accept-edits.', attempt: 1 });
  });

  test('an agent whose program is not there', async () => {
    const { client, work } = await fleet(answer('hello'));
    work({ defaultsFor: async () => ({ program: '/nowhere/claude' }) });
    const job = await jobIn(client, await client.postJob(JOB), 'refused', 'ended');
    expect(job.state === 'refused' ? job.reason : job.outcome).toMatch(/nowhere|not|failed/);
  });
});

test.each([
  ['acceptEdits', 'accept-edits', undefined],
  ['bypassPermissions', 'bypass', 'accept-edits'],
] as const)(
  'an answer that would have the agent do more unasked than the worker allows is refused there: %s',
  async (mode, told, permission) => {
    const always = [{ type: 'setMode', mode, destination: 'session' }];
    const lines = [
      toolUse('t', 'Bash', { command: 'ls' }),
      ask('q1', 't', 'Bash', { command: 'ls' }, always),
      { hear: 'q1' },
    ];
    const { client, work, store, project } = await fleet([init(), ...lines, result('x')]);
    work({ file: { projects: { shop: project }, ...(permission && { permission }) } });
    const { runId = '' } = await jobIn(client, await client.postJob(JOB), 'running');
    await expect.poll(() => client.session(runId).catch(() => undefined)).toBeDefined();
    const answer = { type: 'approve', remember: [0] } as const;
    for await (const event of client.events(runId)) {
      if (event.type !== 'approval-request') continue;
      // As a hub would that asks nobody.
      const reception = await store.tell(runId, { type: 'answer', approval: event.id, answer }, { by: 'person' });
      const reason = `The worker allows ${permission ?? 'ask'} at most, and not ${told}. Allow it this once.`;
      expect(reception).toEqual({ outcome: 'refused', code: 'forbidden', reason });
      await client.approve(runId, event.id);
    }
    expect(await client.session(runId)).toMatchObject({ outcome: 'finished' });
  },
);

test('what nobody can do waits, and is cancelled at once', async () => {
  const { client, work } = await fleet(answer('hello'));
  work();
  const jobs = [await client.postJob({ ...JOB, labels: ['gpu'] }), await client.postJob({ ...JOB, project: 'blog' })];
  const done = await client.postJob(JOB);
  await jobIn(client, done, 'ended');
  for (const { id } of jobs) expect(await client.cancelJob(id)).toMatchObject({ state: 'cancelled' });
  await expect(client.cancelJob(done.id)).rejects.toMatchObject({ status: 409 });
});

test('what runs is ended when somebody cancels it', async () => {
  const { client, work } = await fleet([init(), { hang: true } as never]);
  work();
  const posted = await client.postJob(JOB);
  await jobIn(client, posted, 'running');
  await client.cancelJob(posted.id);
  expect(await jobIn(client, posted, 'ended')).toMatchObject({ outcome: 'cancelled', cancelled: true });
});

test('a hub that is away for a while costs nothing: events wait, and the job ends when all of them are there', async () => {
  const { client, work, store, spoolFolder } = await fleet(answer('hello'));
  let isAway = true;
  const failing: Store = {
    ...store,
    close: async () => {},
    append: async (events) => {
      if (isAway) throw new GlassboxError('store', 'away');
      return store.append(events);
    },
  };
  work({ openStore: () => failing });
  const posted = await client.postJob(JOB);
  const { runId = '' } = await jobIn(client, posted, 'running');
  await expect.poll(() => readdirSync(spoolFolder)).toEqual([`${runId}.jsonl`]);
  isAway = false;
  await jobIn(client, posted, 'ended');
  expect(await client.session(runId)).toMatchObject({ outcome: 'finished' });
});

test('a hub that is slow is not asked again while it is still to answer: beats do not pile up, and none waits for ever', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { client, work, server, token } = await fleet([init(), { hang: true } as never]);
  const own = createClient({ url: server.url, token });
  const asked: (AbortSignal | undefined)[] = [];
  let answer = (): void => {};
  const beatJobs: Client['beatJobs'] = (_, signal) => {
    asked.push(signal);
    return new Promise((resolve) => {
      answer = () => resolve({ held: [{ id: posted.id, cancelled: false }] });
    });
  };
  work({ client: { ...own, beatJobs } });
  const posted = await client.postJob(JOB);
  await jobIn(client, posted, 'running');
  vi.advanceTimersByTime(100 * PATIENCE_MS);
  expect(asked).toEqual([expect.any(AbortSignal)]);
  answer();
  await expect
    .poll(() => {
      vi.advanceTimersByTime(PATIENCE_MS);
      return asked.length;
    })
    .toBe(2);
  vi.useRealTimers();
  await client.cancelJob(posted.id);
  await jobIn(client, posted, 'ended');
});

test('what an earlier worker died with is brought by the next, and its job is told as ended', async () => {
  const { client, work, spoolFolder, server, token } = await fleet(answer('hello'));
  const dead = createClient({ url: server.url, token });
  const posted = await client.postJob(JOB);
  const offer = { name: 'w0', labels: [], projects: ['shop'], agents: ['claude'], capacity: 1, busy: 0 };
  const { job } = await dead.claimJob(offer);
  await dead.tellJob(posted.id, { type: 'begin', fence: job?.fence ?? 0, runId: 'r9' });
  const start = { runId: 'r9', agent: 'claude', startedAt: 1, project: 'shop' };
  const left = openHub({ url: server.url, token });
  const { owner } = await left.startRun(start);
  await left.close();
  const spool = openSpool(spoolFolder, { start, job: { id: posted.id, fence: 1 }, hub: server.url, pid: 2 ** 30 });
  spool.note({ epoch: owner?.epoch ?? 0 });
  spool.add(wholeRun({ runId: 'r9', agent: 'claude' }));
  spool.close();
  work();
  expect(await jobIn(client, posted, 'ended')).toMatchObject({ outcome: 'finished', runId: 'r9' });
  expect(await client.session('r9')).toMatchObject({ state: 'ended', outcome: 'finished' });
  await expect.poll(() => readdirSync(spoolFolder)).toEqual([]);
});

test('and is refused and named where another has the run by now', async () => {
  const { client, work, spoolFolder, server, token, log } = await fleet(answer('hello'));
  const dead = createClient({ url: server.url, token });
  const posted = await client.postJob(JOB);
  await dead.claimJob({ name: 'w0', labels: [], projects: ['shop'], agents: ['claude'], capacity: 1, busy: 0 });
  await dead.tellJob(posted.id, { type: 'begin', fence: 1, runId: 'r9' });
  const start = { runId: 'r9', agent: 'claude', startedAt: 1, project: 'shop' };
  const begun = openHub({ url: server.url, token });
  await begun.startRun(start);
  await begun.close();
  const spool = openSpool(spoolFolder, { start, job: { id: posted.id, fence: 1 }, hub: server.url, pid: 2 ** 30 });
  spool.note({ epoch: 1 });
  spool.add(wholeRun({ runId: 'r9', agent: 'claude' }));
  spool.close();
  const taken = async () => {
    throw new GlassboxError('conflict', 'another keeps it');
  };
  work({ openStore: () => ({ startRun: taken, close: async () => {} }) as never });
  const job = await jobIn(client, posted, 'lost');
  expect(job.reason).toMatch(/^Events 1 to 13 came too late and were refused by the hub: another keeps it/);
  expect(log.join()).toContain('Events 1 to 13');
  expect((await client.session('r9')).runs).toMatchObject([{ runId: 'r9', refused: job.reason }]);
});

test('a worker that falls silent loses its job, which is told as lost and not run again', async () => {
  const { client, work, store } = await fleet(answer('hello'));
  const posted = await client.postJob(JOB);
  const offer = {
    name: 'w0',
    principal: 'runner',
    labels: [],
    projects: ['shop'],
    agents: ['claude'],
    capacity: 1,
    busy: 0,
  };
  const hold = await store.fleet?.jobs.claim(offer, 60_000);
  expect(await store.fleet?.jobs.begin(hold ?? { id: '', fence: 0 }, 'r9', -1)).toBe(true);
  work();
  expect(await jobIn(client, posted, 'lost')).toMatchObject({ worker: 'w0', runId: 'r9', attempt: 1 });
});

test('a runner tells nothing about the job of another', async () => {
  const { client, server, token } = await fleet([]);
  const { token: other } = await client.createToken({ name: 'other', scopes: ['work'] });
  const [one, two] = [token, other].map((given) => createClient({ url: server.url, token: given }));
  const posted = await client.postJob(JOB);
  await one?.claimJob({ name: 'w0', labels: [], projects: ['shop'], agents: ['claude'], capacity: 1, busy: 0 });
  expect(await two?.tellJob(posted.id, { type: 'refuse', fence: 1, reason: 'mine' })).toEqual({ held: false });
  expect(await two?.beatJobs({ holds: [{ id: posted.id, fence: 1 }] })).toEqual({ held: [] });
  expect(await one?.beatJobs({ holds: [{ id: posted.id, fence: 1 }] })).toMatchObject({ held: [{ id: posted.id }] });
});

describe('budgets', () => {
  const budget = { id: 'b', period: 'day', usd: 1, running: 'finish', unknown: 'count' } as const;

  test('park new work when all is spent, and let it go when there is money again', async () => {
    const { client, work, store } = await fleet(answer('hello'));
    await store.fleet?.budgets.put({ ...budget, project: 'shop', usd: 1e-9 });
    await store.startRun({ runId: 'r0', agent: 'fake', startedAt: Date.now(), project: 'shop' });
    await store.append(wholeRun({ runId: 'r0', at: Date.now() }, { usd: 5 }));
    const posted = await client.postJob(JOB);
    expect(posted).toMatchObject({ state: 'parked', reason: expect.stringContaining('is spent: $5.00') });
    expect(await client.budgets()).toMatchObject([{ state: 'spent', spent: { usd: 5, unknownRuns: 0 } }]);
    await store.fleet?.budgets.put({ ...budget, project: 'shop', usd: 100 });
    work();
    await jobIn(client, posted, 'ended');
  });

  const spend = async (store: Store, usd: number): Promise<void> => {
    await store.startRun({ runId: 'r0', agent: 'fake', startedAt: Date.now(), project: 'shop' });
    await store.append(wholeRun({ runId: 'r0', at: Date.now() }, { usd }));
  };

  test.each(['end', 'finish'] as const)('when all is spent, what goes on is to %s', async (running) => {
    const { client, work, store } = await fleet([init(), { hang: true } as never]);
    await store.fleet?.budgets.put({ ...budget, project: 'shop', running });
    work();
    const posted = await client.postJob(JOB);
    const { runId = '' } = await jobIn(client, posted, 'running');
    await spend(store, 5);
    if (running === 'end') {
      expect(await jobIn(client, posted, 'ended')).toMatchObject({ outcome: 'cancelled' });
      // Nobody is told as the one who did it.
      let end: unknown;
      for await (const event of store.read(runId)) end = event;
      expect(end).toMatchObject({ detail: expect.stringMatching(/^ended, because its budget is spent\b/) });
      return;
    }
    // What is asked for now waits; by then those that go on were looked at.
    await jobIn(client, await client.postJob(JOB), 'parked');
    expect(await client.job(posted.id)).toMatchObject({ state: 'running', runId });
    await client.cancelJob(posted.id);
    await jobIn(client, posted, 'ended');
  });

  test('a run may spend what is left, so that a budget is overspent by one turn at most', async () => {
    const turn = (usd: number) => result('x', { total_cost_usd: usd });
    const { client, work, store } = await fleet([init(), turn(0.4), turn(0.8), { hang: true } as never]);
    await store.fleet?.budgets.put({ ...budget, project: 'shop' });
    await spend(store, 0.5);
    work();
    const job = await jobIn(client, await client.postJob(JOB), 'ended');
    expect(job).toMatchObject({ outcome: 'over-budget' });
    const [state] = await client.budgets();
    expect(state?.spent.usd).toBeLessThanOrEqual(1 + 0.4);
  });
});
