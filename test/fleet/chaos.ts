/** A fleet that works while its parts are killed, cut off, frozen and filled up at random; and what must hold of it whatever happens. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, type JobRecord } from '../../src/client/index.js';
import { openStore, type Store } from '../../src/store/index.js';
import { openStand, type Stand, type WorkerMember } from './stand.js';

export interface ChaosOptions {
  folder: string;
  seed: number;
  hubs: number;
  workers: number;
  runs: number;
  rounds: number;
  leaseMs: number;
  say(text: string): void;
}

export interface ChaosReport {
  /** Each is a promise that was broken. */
  broken: string[];
  /** How many jobs came to which state. */
  states: Record<string, number>;
  misfortunes: Record<string, number>;
  events: number;
  answered: number;
}

const OVER: readonly JobRecord['state'][] = ['ended', 'lost', 'refused', 'cancelled'];

export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { folder, seed, hubs, workers, runs, rounds, leaseMs, say } = options;
  const random = createRandom(seed);
  mkdirSync(folder, { recursive: true });
  const stand = await openStand({ folder, hubs, workers, leaseMs });
  const store = await openStore(stand.location);
  const clients = [0, 1].map(() => createClient({ url: stand.line.url, token: stand.token, retryMs: [100] }));
  const [client] = clients as [Client, Client];
  const stopping = new AbortController();
  const answering = answerAll(clients, store, stopping.signal);
  const misfortunes: Record<string, number> = {};
  const broken: string[] = [];
  const jobs: { id: string; number: number; again: boolean }[] = [];
  const lastSeqs = new Map<string, number>();
  try {
    const { token } = await insist(() => client.createToken({ name: 'worker', scopes: ['work'] }));
    writeFileSync(path.join(folder, 'worker.token'), token, { mode: 0o600 });
    for (const worker of stand.workers) worker.start();

    for (let round = 1; round <= rounds; round += 1) {
      const share = Math.floor((runs * round) / rounds);
      while (jobs.length < share) jobs.push(await post(client, jobs.length + 1));
      const happening = MISFORTUNES[Math.floor(random() * MISFORTUNES.length)] ?? MISFORTUNES[0];
      misfortunes[happening.name] = (misfortunes[happening.name] ?? 0) + 1;
      const at = performance.now();
      await sleep(random() * 500);
      await happening.happen(stand, random, leaseMs);
      await noteCommitted(store, lastSeqs, broken);
      say(`round ${round}: ${happening.name}, ${Math.round(performance.now() - at)} ms`);
    }
    await settled(client, jobs, say);
    stopping.abort();
    const answers = await answering;
    for (const worker of stand.workers) await worker.stop();
    broken.push(...(await judge({ store, stand, client, jobs, answers, lastSeqs })));
    const found = await Promise.all(jobs.map(({ id }) => insist(() => client.job(id))));
    let events = 0;
    for (const { runId } of found)
      if (runId !== undefined) events += (await store.session(runId))?.runs[0]?.lastSeq ?? 0;
    return { broken, states: countBy(found.map(({ state }) => state)), misfortunes, events, answered: answers.size };
  } finally {
    stopping.abort();
    await answering;
    await store.close();
    await stand.close();
    const left = stand.alive();
    if (left.length > 0) broken.push(`these outlived it: ${left.join('; ')}`);
  }
}

interface Misfortune {
  name: string;
  happen(stand: Stand, random: () => number, leaseMs: number): Promise<void>;
}

const oneOf = <One>(all: readonly One[], random: () => number): One => all[Math.floor(random() * all.length)] as One;

/** For as long as others notice it, or not. */
const while_ = (random: () => number, leaseMs: number): Promise<void> => sleep(random() * 1.5 * leaseMs);

function toWorker(
  name: string,
  break_: (worker: WorkerMember) => unknown,
  mend: (worker: WorkerMember) => unknown,
): Misfortune {
  return {
    name,
    async happen({ workers }, random, leaseMs) {
      const worker = oneOf(workers, random);
      await break_(worker);
      await while_(random, leaseMs);
      await mend(worker);
    },
  };
}

const MISFORTUNES: readonly [Misfortune, ...Misfortune[]] = [
  toWorker(
    'worker killed',
    (worker) => worker.kill(),
    (worker) => worker.start(),
  ),
  toWorker(
    'worker frozen',
    (worker) => worker.freeze(),
    (worker) => worker.thaw(),
  ),
  toWorker(
    'line cut',
    (worker) => worker.line.cut(),
    (worker) => worker.line.mend(),
  ),
  toWorker(
    'line slow',
    (worker) => worker.line.slow(700),
    (worker) => worker.line.mend(),
  ),
  toWorker(
    'disk full',
    (worker) => worker.fill(true),
    (worker) => worker.fill(false),
  ),
  toWorker(
    'disk full, then killed',
    (worker) => {
      worker.fill(true);
      return sleep(200).then(() => worker.kill());
    },
    (worker) => {
      worker.fill(false);
      worker.start();
    },
  ),
  {
    name: 'hub killed',
    async happen({ hubs }, random, leaseMs) {
      const hub = oneOf(hubs, random);
      await hub.kill();
      await while_(random, leaseMs / 2);
      hub.start();
    },
  },
  {
    name: 'all hubs killed',
    async happen({ hubs }) {
      await Promise.all(hubs.map((hub) => hub.kill()));
      for (const hub of hubs) hub.start();
    },
  },
  {
    name: 'Postgres killed',
    async happen(stand, random) {
      await stand.killPostgres();
      await sleep(random() * 1000);
      await stand.startPostgres();
    },
  },
];

async function post(client: Client, number: number): Promise<{ id: string; number: number; again: boolean }> {
  const again = number % 10 === 0;
  const prompt = `job-${number}${number % 3 === 0 ? ' asks' : ''}${number % 4 === 0 ? ' slowly' : ''}`;
  // One that was posted and not heard of would be run beside this one: its number is used once.
  const { id } = await insist(() => client.postJob({ agent: 'claude', prompt, project: 'shop', again }));
  return { id, number, again };
}

/** Two people answer everything at once; of each question one of them was heard. Gives how often each was. */
async function answerAll(clients: readonly Client[], store: Store, signal: AbortSignal): Promise<Map<string, number>> {
  const heard = new Map<string, number>();
  while (!signal.aborted) {
    const waiting = await store.approvals().catch(() => []);
    await Promise.all(
      waiting.map(async ({ runId, request: { id } }) => {
        const key = `${runId} ${id}`;
        const won = await Promise.all(
          clients.map((client) =>
            client.approve(runId, id).then(
              () => 1,
              () => 0,
            ),
          ),
        );
        heard.set(key, (heard.get(key) ?? 0) + won.reduce<number>((sum, one) => sum + one, 0));
      }),
    );
    await sleep(100, undefined, { signal }).catch(() => {});
  }
  return heard;
}

async function settled(client: Client, jobs: readonly { id: string }[], say: (text: string) => void): Promise<void> {
  for (let waited = 0; ; waited += 1) {
    const found = await Promise.all(jobs.map(({ id }) => insist(() => client.job(id))));
    const open = found.filter(({ state }) => !OVER.includes(state));
    if (open.length === 0) return;
    if (waited % 20 === 0)
      say(`${open.length} of ${jobs.length} jobs go on: ${JSON.stringify(countBy(open.map(({ state }) => state)))}`);
    if (waited > 400) throw new Error(`These jobs never ended: ${JSON.stringify(open.slice(0, 5))}`);
    await sleep(500);
  }
}

/** What was there once stays there. */
async function noteCommitted(store: Store, lastSeqs: Map<string, number>, broken: string[]): Promise<void> {
  const { items } = await insist(() => store.list({ limit: 1000 }));
  for (const { runId, lastSeq } of items.flatMap(({ runs }) => runs)) {
    const before = lastSeqs.get(runId) ?? 0;
    if (lastSeq < before) broken.push(`the run ${runId} had ${before} events and has ${lastSeq}`);
    lastSeqs.set(runId, lastSeq);
  }
}

interface Judged {
  store: Store;
  stand: Stand;
  client: Client;
  jobs: readonly { id: string; number: number; again: boolean }[];
  answers: ReadonlyMap<string, number>;
  lastSeqs: ReadonlyMap<string, number>;
}

async function judge({ store, stand, client, jobs, answers, lastSeqs }: Judged): Promise<string[]> {
  const broken: string[] = [];
  const begun = countBy(linesOf(stand, 'begun'));
  const answered = countBy(linesOf(stand, 'answered'));
  for (const { id, number, again } of jobs) {
    const job = await client.job(id);
    const say = (text: string): void => void broken.push(`job ${number} (${job.state}, run ${job.runId}): ${text}`);
    const times = begun[number] ?? 0;
    if (times > (again ? job.attempt : 1)) say(`was begun ${times} times`);
    if ((answered[number] ?? 0) > times) say(`was answered ${answered[number]} times in ${times} runs`);
    if (job.state === 'ended' && job.outcome === undefined) say('ended, and nobody knows how');
    if (job.state === 'lost' && job.reason === undefined) say('is lost without a reason');
    if (job.state === 'refused') say(`was refused: ${job.reason}`);
    if (job.runId === undefined) continue;
    const run = await atRest(store, job.runId);
    if (!run) {
      if (job.state === 'ended') say('its run is not kept');
      continue;
    }
    if (run.lastSeq < (lastSeqs.get(job.runId) ?? 0)) say('lost events that were there');
    if (run.state === 'running') say('its run is told as running, and nothing runs any more');
    let next = 1;
    let end: string | undefined;
    for await (const event of store.read(job.runId)) {
      const { seq, fromSeq = seq } = event;
      if (fromSeq !== next) say(`event ${next} is missing or out of order: ${event.type} says ${fromSeq} to ${seq}`);
      next = seq + 1;
      if (event.type === 'run-end') end = event.reason;
    }
    if (job.state === 'ended' && end !== job.outcome) say(`is told as ${job.outcome}, its run as ${end}`);
  }
  for (const [which, times] of answers)
    if (times > 1) broken.push(`${times} people were told that they decided ${which}`);
  return broken;
}

/** A job is lost as soon as its lease is over, its run when its owner has been silent for longer: until that is noticed it is told as running. */
async function atRest(store: Store, wanted: string) {
  for (let looks = 1; ; looks += 1) {
    const run = (await store.session(wanted))?.runs.find(({ runId }) => runId === wanted);
    if (run?.state !== 'running' || looks === MOST_LOOKS) return run;
    await sleep(500);
  }
}

/** A busy machine may take a while; what is never noticed is. */
const MOST_LOOKS = 240;

function linesOf({ ledger }: Stand, name: string): string[] {
  try {
    return readFileSync(path.join(ledger, name), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

function countBy(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Until it works: hubs and the database are away now and then. */
async function insist<Done>(ask: () => Promise<Done>): Promise<Done> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await ask();
    } catch (error) {
      if (failures > 300) throw error;
      await sleep(100);
    }
  }
}

/** The same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
