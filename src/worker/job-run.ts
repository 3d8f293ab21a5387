/** One job on this worker: accepted or refused, begun once, run, kept, and told as ended when the hub has all of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, ClientError, type JobNews } from '../client/index.js';
import { GlassboxError } from '../event/index.js';
import { commandLine, type RunHandle, type RunRequest, run } from '../run/index.js';
import { thisProcess } from '../run/process/reaper.js';
import { type ClaimedJob, type JobHold, keepRun, type RunKeeper } from '../store/index.js';
import { acceptJob } from './accept-job.js';
import { openSpool } from './spool.js';
import { createSpooledRun } from './spooled-store.js';
import { withinCeiling } from './within-ceiling.js';
import { CEILING, type WorkerFile } from './worker-file.js';

export interface JobRun {
  readonly hold: JobHold;
  /** Settles when the job is over for this worker. Never rejects. */
  readonly done: Promise<void>;
  /** What the hub said with the last beat; undefined: the job is no longer this worker's. */
  heard(cancelled: boolean | undefined): void;
  /** A beat is due: it is counted for how long the hub was not heard. */
  unheard(): void;
  stop(why: string): void;
}

export interface JobRunOptions {
  hub: string;
  client: Client;
  store: RunKeeper;
  file: WorkerFile;
  spoolFolder: string;
  leaseMs: number;
  retryMs: readonly number[];
  defaultsFor(agent: string, cwd: string): Promise<Partial<RunRequest>>;
  log(text: string): void;
}

/** How long the hub may take to hear the rest when the worker is stopped. */
const PATIENCE_MS = 5000;
/** What is not answered for so long is asked again: a line may be dead without anybody having said so. */
export const ANSWER_MS = 30_000;

export function createJobRun(job: ClaimedJob, options: JobRunOptions): JobRun {
  const { client, log, leaseMs, retryMs } = options;
  const { id, fence } = job;
  const hold = { id, fence };
  const stopping = new AbortController();
  let handle: RunHandle | undefined;
  let heardAt = performance.now();

  const cancel = (why: string): void => {
    stopping.abort();
    handle?.cancel(why);
  };

  return {
    hold,
    done: work().catch((error: unknown) => log(`The job ${id} failed: ${messageOf(error)}`)),
    heard(cancelled) {
      heardAt = performance.now();
      if (cancelled === undefined) cancel('the job is no longer this worker’s');
      else if (cancelled) cancel('the job was cancelled');
    },
    unheard() {
      // One that may be run again is by now another worker's: two must not do it at the same time.
      if (job.again && performance.now() - heardAt > leaseMs) cancel('the hub could not be reached for too long');
    },
    stop: cancel,
  };

  async function work(): Promise<void> {
    const refuse = async (reason: string): Promise<void> => {
      log(`The job ${id} was refused: ${reason}`);
      await tell({ type: 'refuse', fence, reason });
    };
    const accepted = acceptJob(job, options.file);
    if ('refusal' in accepted) return refuse(accepted.refusal);
    const runId = randomUUID();
    const request = { ...accepted.request, runId };
    const { agent, cwd = '' } = request;
    const name = typeof agent === 'string' ? agent : agent.name;
    let defaults: Partial<RunRequest>;
    try {
      const { permission: _, ...own } = await options.defaultsFor(name, cwd);
      defaults = own;
      commandLine(request, defaults);
    } catch (error) {
      if (error instanceof GlassboxError) return refuse(error.message);
      throw error;
    }
    if (stopping.signal.aborted || !(await tell({ type: 'begin', fence, runId }))) return;
    log(`The job ${id} begins: ${name} in ${job.project}, run ${runId}.`);
    await runToEnd(request, defaults);
  }

  async function runToEnd(request: RunRequest, defaults: Partial<RunRequest>): Promise<void> {
    const self = await thisProcess();
    const started = run(request, defaults);
    handle = started;
    const { runId, agent, terms, beginning } = started;
    const start = { runId, agent, terms, ...beginning, project: job.project };
    const head = { start, job: hold, hub: options.hub, ...self };
    const onTrouble = ({ message }: Error): void =>
      log(
        `Run ${runId}: the disk takes no events (${message}). What the hub does not hear would be lost with this worker.`,
      );
    const spool = openSpool(options.spoolFolder, head, { onTrouble });
    const spooled = createSpooledRun({ hub: options.store, spool, retryMs });
    const kept = keepRun(started, {
      store: withinCeiling(spooled.store, { ceiling: options.file.permission ?? CEILING, pending: started.pending }),
      onStoreFailure: ({ message }) => log(`${runId}: ${message}`),
    });
    if (stopping.signal.aborted) started.cancel('the worker was stopped');
    const completion = await started.completion;
    spool.note({ outcome: completion.reason });
    const timer = stopping.signal.aborted ? setTimeout(spooled.close, PATIENCE_MS) : undefined;
    await Promise.race([kept.done, spooled.closed]);
    clearTimeout(timer);
    if (!spooled.isSettled()) {
      log(`Run ${runId}: what the hub did not hear waits for the next start.`);
      return;
    }
    const isHeard = await tell({ type: 'end', fence, outcome: completion.reason });
    log(`The job ${id} has ended: ${completion.reason}.`);
    // The next start says it.
    if (isHeard === undefined) spool.close();
    else spool.remove();
  }

  /** Until the hub hears it; a worker that stops does not wait for long. False when the job is another's, undefined when nobody heard. */
  async function tell(news: JobNews): Promise<boolean | undefined> {
    const since = performance.now();
    for (let failures = 0; ; failures += 1) {
      try {
        return (await client.tellJob(id, news, AbortSignal.timeout(ANSWER_MS))).held;
      } catch (error) {
        if (error instanceof ClientError && error.status < 500 && error.status !== 429) throw error;
        const isTooLong = performance.now() - since > (news.type === 'end' ? Number.POSITIVE_INFINITY : leaseMs);
        if (isTooLong || (stopping.signal.aborted && performance.now() - since > PATIENCE_MS)) return undefined;
        await sleep(retryMs[Math.min(failures, retryMs.length - 1)] ?? 1000);
      }
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
