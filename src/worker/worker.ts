/**
 * A worker: claims jobs from a hub, runs them here, and brings what happens to it. What a hub does not hear of is not lost but waits on
 * disk; a job that another has by now is not gone on with.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, ClientError } from '../client/index.js';
import type { RunRequest } from '../run/index.js';
import type { ClaimedJob } from '../store/index.js';
import { oneAtATime } from '../store/shell/one-at-a-time.js';
import { ANSWER_MS, createJobRun, type JobRun } from './job-run.js';
import { bringLeftSpools, type OpenStore } from './left-spools.js';
import type { WorkerFile } from './worker-file.js';

export interface WorkerOptions {
  /** Its address, by which spools are told apart. */
  hub: string;
  client: Client;
  /** The hub's store, where its runs are kept. */
  openStore: OpenStore;
  file: WorkerFile;
  /** By which it is known, and work can be sent to it. */
  name: string;
  agents: readonly string[];
  /** How many jobs at a time. */
  max: number;
  /** Where events wait on disk. */
  spoolFolder: string;
  /** What is configured on this machine for an agent in a directory. */
  defaultsFor(agent: string, cwd: string): Promise<Partial<RunRequest>>;
  log(text: string): void;
  /** How long one question for work may take. Default 20 s. */
  waitMs?: number;
  retryMs?: readonly number[];
}

export interface Worker {
  /** Settles when it was stopped; rejects when the hub does not let it in. */
  readonly done: Promise<void>;
  busy(): number;
  /** Takes no more, ends what it runs, and waits until the hub has it, or for a moment. */
  stop(): void;
}

const WAIT_MS = 20_000;
const LEASE_MS = 25_000;
const SHORTEST_LEASE_MS = 300;
const LONGEST_LEASE_MS = 3_600_000;
const RETRY_MS = [250, 500, 1000, 2000, 5000];

export function createWorker(options: WorkerOptions): Worker {
  const { client, file, name, agents, max, log, waitMs = WAIT_MS, retryMs = RETRY_MS } = options;
  const { labels = [], projects } = file;
  const store = options.openStore();
  const stopping = new AbortController();
  const active = new Map<string, JobRun>();
  let leaseMs = LEASE_MS;
  let heart: NodeJS.Timeout | undefined;
  let left: Promise<void> | undefined;

  async function work(): Promise<void> {
    left = bringLeftSpools({ ...options, retryMs, folder: options.spoolFolder, signal: stopping.signal });
    for (let failures = 0; !stopping.signal.aborted; ) {
      if (active.size >= max) {
        await Promise.race([...active.values()].map(({ done }) => done));
        continue;
      }
      try {
        const offer = { name, labels, agents: [...agents], projects: Object.keys(projects), capacity: max };
        const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(waitMs + ANSWER_MS)]);
        const reply = await client.claimJob({ ...offer, busy: active.size, waitMs }, signal);
        leaseMs = leaseOf(reply);
        if (failures > 0) log('The hub is there again.');
        failures = 0;
        if (reply.job) begin(reply.job);
      } catch (error) {
        if (stopping.signal.aborted) break;
        if (error instanceof ClientError && (error.status === 401 || error.status === 403)) throw error;
        if (failures === 0) log(`The hub does not answer (${messageOf(error)}); trying again until it does.`);
        await pause(failures);
        failures += 1;
      }
    }
  }

  function begin(job: ClaimedJob): void {
    const run = createJobRun(job, { ...options, store, leaseMs, retryMs });
    active.set(job.id, run);
    heart ??= setInterval(beatAgain, leaseMs / 3);
    void run.done.finally(() => {
      active.delete(job.id);
      if (active.size > 0) return;
      clearInterval(heart);
      heart = undefined;
    });
  }

  const beatOnce = oneAtATime(beat);

  /** Also while one is under way it counts how long the hub was not heard. */
  function beatAgain(): void {
    for (const run of active.values()) run.unheard();
    beatOnce();
  }

  /** The hub hears that this worker lives, and says what it has no longer or what shall end. */
  async function beat(): Promise<void> {
    const holds = [...active.values()].map(({ hold }) => hold);
    try {
      const { held } = await client.beatJobs({ holds }, AbortSignal.timeout(leaseMs));
      const known = new Map(held.map(({ id, cancelled }) => [id, cancelled]));
      for (const { id } of holds) active.get(id)?.heard(known.get(id));
    } catch {
      // The next one says it, or how long nobody heard.
    }
  }

  async function pause(failures: number): Promise<void> {
    const ms = retryMs[Math.min(failures, retryMs.length - 1)] ?? 1000;
    await sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});
  }

  const ending = async (): Promise<void> => {
    for (const run of active.values()) run.stop('the worker was stopped');
    await Promise.all([...active.values()].map(({ done }) => done));
  };

  const whole = async (): Promise<void> => {
    try {
      await work();
    } finally {
      stopping.abort();
      await Promise.all([ending(), left]);
      clearInterval(heart);
      await store.close();
    }
  };

  return { done: whole(), busy: () => active.size, stop: () => stopping.abort() };
}

/** A hub that says nonsense must not have its worker beat without a pause. */
function leaseOf({ leaseMs }: { leaseMs: number }): number {
  return Number.isFinite(leaseMs) ? Math.min(Math.max(leaseMs, SHORTEST_LEASE_MS), LONGEST_LEASE_MS) : LEASE_MS;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
