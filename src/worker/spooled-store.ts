/**
 * The hub's store as a run of this worker sees it: what it writes is on disk at once, and brought to the hub as soon as that answers. The run
 * never waits for the hub, but it has ended only when the hub has all of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GlassboxError } from '../event/index.js';
import type { RunKeeper, RunRecord } from '../store/index.js';
import type { Spool } from './spool.js';

export interface SpooledRun {
  readonly store: RunKeeper;
  /** Whether the hub has all of it, or somebody else has the run. */
  isSettled(): boolean;
  /** Lets the rest wait for the next start. */
  close(): void;
  /** Settles when that was asked for. */
  readonly closed: Promise<void>;
}

export interface SpooledRunOptions {
  hub: RunKeeper;
  spool: Spool;
  /** The pauses between tries, growing. */
  retryMs?: readonly number[];
}

const RETRY_MS = [200, 500, 1000, 2000, 5000];
/** How many events one call brings. */
const BATCH = 500;

export function createSpooledRun({ hub, spool, retryMs = RETRY_MS }: SpooledRunOptions): SpooledRun {
  const { start } = spool.head;
  const stop = new AbortController();
  let lost: GlassboxError | undefined;
  let bringing: Promise<void> | undefined;
  let hasBegun: (() => void) | undefined;
  const begun = new Promise<void>((resolve) => {
    hasBegun = resolve;
  });

  /** One after the other, until nothing waits, somebody else has the run, or the worker stops. */
  const bring = (): Promise<void> => {
    bringing ??= bringAll().finally(() => {
      bringing = undefined;
    });
    return bringing;
  };

  async function bringAll(): Promise<void> {
    for (let failures = 0; !lost && !stop.signal.aborted; ) {
      try {
        if (spool.head.epoch === undefined) {
          const { owner } = await hub.startRun(start);
          spool.note({ epoch: owner?.epoch ?? 0 });
        }
        hasBegun?.();
        const batch = spool.waiting().slice(0, BATCH);
        if (batch.length === 0) return;
        spool.acknowledge(await hub.append(batch));
        failures = 0;
      } catch (error) {
        if (isLoss(error)) lost = error;
        else await pause(failures);
        failures += 1;
      }
    }
  }

  async function pause(failures: number): Promise<void> {
    const ms = retryMs[Math.min(failures, retryMs.length - 1)] ?? 1000;
    await sleep(ms, undefined, { signal: stop.signal }).catch(() => {});
  }

  const orLost = (): void => {
    if (lost) throw lost;
  };

  return {
    store: {
      acknowledge: (runId, id, reception) => hub.acknowledge(runId, id, reception),
      async startRun() {
        void bring();
        orLost();
        return recordOf(start);
      },
      async append(events) {
        orLost();
        spool.add(events);
        void bring();
        return events.at(-1)?.seq ?? 0;
      },
      async endRun(runId, sourceState) {
        for (let failures = 0; !stop.signal.aborted; failures += 1) {
          await bring();
          orLost();
          // What was added while the last of it was on its way.
          if (spool.waiting().length > 0) continue;
          try {
            return await hub.endRun(runId, sourceState);
          } catch (error) {
            if (isLoss(error)) throw error;
            await pause(failures);
          }
        }
      },
      async *instructions(runId, options = {}) {
        const { signal } = options;
        await Promise.race([begun, ...(signal ? [aborted(signal)] : [])]);
        if (!signal?.aborted && !stop.signal.aborted) yield* hub.instructions(runId, options);
      },
    },
    isSettled: () => lost !== undefined || (spool.head.epoch !== undefined && spool.waiting().length === 0),
    closed: aborted(stop.signal),
    close() {
      stop.abort();
      hasBegun?.();
      spool.close();
    },
  };
}

/** Somebody else has the run, or the hub does not take it: trying again is of no use. */
export function isLoss(error: unknown): error is GlassboxError {
  const codes = ['conflict', 'forbidden', 'invalid-request', 'not-found'];
  return error instanceof GlassboxError && codes.includes(error.code);
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

/** What is known of it here. */
function recordOf({ runId, agent, startedAt }: Spool['head']['start']): RunRecord {
  const nothing = { lastSeq: 0, bytes: 0, usage: {}, turns: 0, toolCalls: 0 };
  return { runId, session: runId, agent, state: 'running', startedAt, updatedAt: startedAt, ...nothing };
}
