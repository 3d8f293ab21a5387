/**
 * The hub's part in jobs: workers wait here for work, silent ones lose theirs, and budgets hold it back. A hub keeps nothing: whatever it
 * decides is a step in the store, which another hub over it may take as well.
 */
import { randomUUID } from 'node:crypto';
import type { ClaimReply, ClaimRequest, JobRequest } from '../client/api.js';
import { GlassboxError } from '../event/index.js';
import type { ClaimedJob, FleetStore, JobKind, JobRecord, Store, WorkerOffer } from '../store/index.js';
import type { BudgetWatch } from './budget-watch.js';
import type { Principal } from './principal.js';

export interface JobDesk {
  post(request: JobRequest, principal: Principal): Promise<JobRecord>;
  /** Waits for work for as long as the worker wants to, and no longer than a connection may. */
  claim(request: ClaimRequest, principal: Principal, signal: AbortSignal): Promise<ClaimReply>;
  readonly leaseMs: number;
  close(): void;
}

export interface JobDeskOptions {
  store: Store;
  fleet: FleetStore;
  budgets: BudgetWatch;
  /** For how long a worker may be silent. Default 25 s. */
  leaseMs?: number | undefined;
  /** How soon work is seen that another hub took in. Default 1 s. */
  pollMs?: number | undefined;
  log(text: string): void;
}

/** With the look that notices it, a dead host's work is told as lost within 30 s. */
const LEASE_MS = 25_000;
const POLL_MS = 1000;
const LONGEST_WAIT_MS = 25_000;
const MOST_AT_ONCE = 10_000;

export function createJobDesk(options: JobDeskOptions): JobDesk {
  const { store, fleet, budgets, leaseMs = LEASE_MS, pollMs = POLL_MS, log } = options;
  const { jobs } = fleet;
  const waiting = new Set<() => void>();
  let isAsleep = true;
  let isClosed = false;

  const wake = (): void => {
    for (const go of waiting) go();
  };
  const timer = setInterval(() => {
    void look().catch((error: unknown) => isClosed || log(`Jobs: ${messageOf(error)}`));
  }, pollMs);
  timer.unref();

  /** One look for all who wait, and for those of whom nobody else would notice that they fell silent. */
  async function look(): Promise<void> {
    if (!isAsleep || isClosed) return;
    isAsleep = false;
    try {
      for (const { id, state, worker = '', runId = '' } of await jobs.reap())
        log(
          `The worker ${worker} fell silent with the job ${id} (run ${runId || 'not begun'}), which is ${state} now.`,
        );
      await holdToBudgets();
      if (waiting.size > 0 && (await jobs.isWaiting())) wake();
    } finally {
      isAsleep = true;
    }
  }

  async function holdToBudgets(): Promise<void> {
    const states = await budgets.states();
    for (const kind of await jobs.kinds('parked'))
      if ((await budgets.verdict(kind)).parked === undefined) await jobs.unpark(kind);
    if (!states.some(({ state }) => state === 'spent')) return;
    for (const kind of await jobs.kinds('waiting')) {
      const { parked: reason } = await budgets.verdict(kind);
      if (reason !== undefined) await jobs.park(kind, reason);
    }
    for (const kind of await jobs.kinds('running')) if ((await budgets.verdict(kind)).ends) await endRunning(kind);
  }

  async function endRunning({ project, principal }: JobKind): Promise<void> {
    const { items } = await jobs.list({ state: 'running', projects: [project], principal, limit: MOST_AT_ONCE });
    for (const { id, runId, cancelled } of items) {
      if (cancelled || runId === undefined) continue;
      await jobs.cancel(id);
      void store.tell(runId, { type: 'stop' }, { by: 'rule', rule: 'its budget is spent' }).catch(() => {});
      log(`The job ${id} is ended, because its budget is spent.`);
    }
  }

  /** What is left in the tightest budget is the most that one run may spend. Undefined when nothing is: it is parked. */
  async function affordable(job: ClaimedJob, by: string): Promise<ClaimedJob | undefined> {
    budgets.forget();
    const { leftUsd, parked } = await budgets.verdict(job);
    if (parked !== undefined) {
      await jobs.giveBack({ ...job, by }, parked);
      await jobs.park(job, parked);
      return undefined;
    }
    if (leftUsd === undefined) return job;
    const { budgetUsd = leftUsd } = job.spec;
    return { ...job, spec: { ...job.spec, budgetUsd: Math.min(budgetUsd, leftUsd) } };
  }

  return {
    leaseMs,
    async post({ project, labels, host, again, ...spec }, principal) {
      requireProject(principal, project);
      budgets.forget();
      const { parked } = await budgets.verdict({ project, principal: principal.name });
      const job = await jobs.post({
        ...{ id: randomUUID(), spec, project, principal: principal.name, labels, host, again, parked },
      });
      wake();
      return job;
    },
    async claim(request, principal, signal) {
      try {
        return await claim(request, principal, signal);
      } catch (error) {
        // Nobody waits for it any more.
        if (isClosed || signal.aborted) return { leaseMs };
        throw error;
      }
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      wake();
    },
  };

  async function claim(
    { waitMs = 0, ...offered }: ClaimRequest,
    principal: Principal,
    signal: AbortSignal,
  ): Promise<ClaimReply> {
    const projects = offered.projects.filter((project) => principal.projects?.includes(project) ?? true);
    const offer: WorkerOffer = { ...offered, projects, principal: principal.name };
    await fleet.workers.note(offer);
    const until = performance.now() + Math.min(waitMs, LONGEST_WAIT_MS);
    while (!isClosed && !signal.aborted) {
      const claimed = await jobs.claim(offer, leaseMs);
      const job = claimed && (await affordable(claimed, principal.name));
      if (job) return { leaseMs, job };
      if (claimed) continue;
      const leftMs = until - performance.now();
      if (leftMs <= 0) break;
      await news(leftMs, signal);
    }
    return { leaseMs };
  }

  /** Until there may be work, or it was long enough. */
  function news(mostMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        waiting.delete(go);
        clearTimeout(limit);
        signal.removeEventListener('abort', go);
        resolve();
      };
      const limit = setTimeout(go, mostMs);
      signal.addEventListener('abort', go);
      waiting.add(go);
    });
  }
}

function requireProject({ name, projects }: Principal, project: string): void {
  if (projects && !projects.includes(project))
    throw new GlassboxError('forbidden', `${name} may do nothing for the project ${project}.`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
