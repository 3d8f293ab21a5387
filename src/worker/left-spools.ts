/** What an earlier worker of this machine died with: brought to the hub where its claim of the run still holds, and told as refused where not. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/index.js';
import type { AgentEvent } from '../event/index.js';
import { isAlive } from '../run/process/reaper.js';
import type { RunKeeper, Store } from '../store/index.js';
import { ANSWER_MS } from './job-run.js';
import { type LeftSpool, leftSpools } from './spool.js';
import { isLoss } from './spooled-store.js';

/** The hub's store, for somebody who holds these claims. */
export type OpenStore = (epochs?: ReadonlyMap<string, number>) => RunKeeper & Pick<Store, 'close'>;

export interface LeftOptions {
  folder: string;
  /** The one that this worker works for; spools for others wait for their own. */
  hub: string;
  client: Client;
  openStore: OpenStore;
  /** The pauses between tries, growing. */
  retryMs: readonly number[];
  signal: AbortSignal;
  log(text: string): void;
}

const BATCH = 500;

/** Until all of it is brought or refused, or the worker stops: then the rest waits for the next start. */
export async function bringLeftSpools(options: LeftOptions): Promise<void> {
  const { folder, hub, retryMs, signal, log } = options;
  let waiting = (await leftSpools(folder, { isAlive, log })).filter(({ head }) => head.hub === hub);
  for (let tries = 0; waiting.length > 0 && !signal.aborted; tries += 1) {
    const failed: LeftSpool[] = [];
    for (const left of waiting) {
      try {
        if (!signal.aborted) await bring(left, options);
      } catch (error) {
        failed.push(left);
        if (tries === 0) log(`What is left of the run ${left.head.start.runId} waits: ${messageOf(error)}`);
      }
    }
    waiting = failed;
    const ms = retryMs[Math.min(tries, retryMs.length - 1)] ?? 1000;
    if (failed.length > 0) await sleep(ms, undefined, { signal }).catch(() => {});
  }
}

async function bring(left: LeftSpool, { client, openStore, log }: LeftOptions): Promise<void> {
  const { file, head, events } = left;
  const { id, fence } = head.job;
  const { runId } = head.start;
  const refusal = await append(left, openStore);
  const outcome = head.outcome ?? outcomeIn(events);
  if (refusal !== undefined) {
    const [first, last] = [events[0]?.seq, events.at(-1)?.seq];
    const which = events.length === 0 ? 'Its end' : `Events ${first} to ${last}`;
    const reason = `${which} came too late and were refused by the hub: ${refusal}`;
    log(`Run ${runId}: ${reason}`);
    await client.tellJob(id, { type: 'lose', fence, reason, runId }, AbortSignal.timeout(ANSWER_MS));
  } else {
    if (events.length > 0)
      log(`Run ${runId}: ${events.length} events that an earlier worker could not bring are at the hub now.`);
    await client.tellJob(
      id,
      outcome === undefined
        ? { type: 'lose', fence, reason: 'Its worker was killed while it ran.' }
        : { type: 'end', fence, outcome },
      AbortSignal.timeout(ANSWER_MS),
    );
  }
  rmSync(file, { force: true });
}

/** Undefined when all of it is kept, else why not. One that no hub had heard of is heard of now. */
async function append({ head, events }: LeftSpool, openStore: OpenStore): Promise<string | undefined> {
  const { start, epoch } = head;
  if (epoch === undefined && events.length === 0) return undefined;
  const store = openStore(epoch === undefined ? undefined : new Map([[start.runId, epoch]]));
  try {
    await store.startRun(start);
    for (let at = 0; at < events.length; at += BATCH) await store.append(events.slice(at, at + BATCH));
    return undefined;
  } catch (error) {
    // Without an epoch it is the claim of the one that died, whose reply was lost: it holds until it is silent for long enough.
    if (isLoss(error) && epoch !== undefined) return error.message;
    throw error;
  } finally {
    // Nobody says that the run lives: what has no end by itself was interrupted.
    await store.close();
  }
}

function outcomeIn(events: readonly AgentEvent[]): string | undefined {
  const end = events.findLast((event) => event.type === 'run-end');
  return end?.type === 'run-end' ? end.reason : undefined;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
