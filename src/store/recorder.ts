/**
 * Keeps one run: takes its events as they come and writes them in batches.
 *
 * It never throws and never makes the run wait. When the store fails it says so once and tries again; what it cannot hold meanwhile
 * is declared as a `gap`, so that the record never has a hole that nobody knows of.
 */

import { type AgentEvent, GlassboxError } from '../event/index.js';
import { type OptionNames, refuseUnknown } from '../event/option.js';
import { createCoalescer } from './coalesce.js';
import type { RunRecord, RunStart } from './record.js';
import type { RunKeeper } from './store.js';

export interface Recorder {
  /** The run as the store knows it, or nothing when that fails; rejects when somebody else has it. */
  readonly known: Promise<RunRecord | undefined>;
  push(event: AgentEvent): void;
  /** For a source that can wait: resolves when what was pushed is written, or at once while the store fails. */
  flush(): Promise<void>;
  /** Writes what is left and marks the run as ended, with the state of its source. Resolves even when the store fails. */
  close(sourceState?: string): Promise<void>;
}

export interface RecorderOptions {
  /** It may still be opening: the run does not wait for it. */
  store: RunKeeper | Promise<RunKeeper>;
  start: RunStart;
  /** Called once, with a message for people. The run goes on. */
  onFailure(error: GlassboxError): void;
  /** Called once, after `onFailure`, when another process took the run over: nothing more is written. */
  onLost?(error: GlassboxError): void;
  /** How long events are collected before they are written. Default 100. */
  batchMs?: number;
  /** The first pause after a failure; it doubles, up to 30 s. Default 1000. */
  retryMs?: number;
  /** How much may wait for a store that fails, as characters of JSON. Default 8 Mi. */
  maxWaiting?: number;
}

const RECORDER_NAMES: OptionNames<RecorderOptions> = {
  store: true,
  start: true,
  onFailure: true,
  onLost: true,
  batchMs: true,
  retryMs: true,
  maxWaiting: true,
};
const LONGEST_RETRY_MS = 30_000;

/** Writes the events of one run into a store, in batches; a store that fails is told once and costs nothing else. */
export function createRecorder(options: RecorderOptions): Recorder {
  refuseUnknown('createRecorder', options, RECORDER_NAMES);
  const { store, start, onFailure, batchMs = 100, retryMs = 1000, maxWaiting = 8 * 1024 * 1024 } = options;
  // Whoever opened it may not be waiting for it; each write will tell.
  Promise.resolve(store).catch(() => {});
  const coalescer = createCoalescer();
  let unwritten: AgentEvent[] = [];
  let isStarted = false;
  let hasFailed = false;
  let isFailing = false;
  let isLost = false;
  let pauseMs = retryMs;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<boolean> | undefined;
  const { promise: known, resolve: isKnown, reject: isTaken } = withResolvers<RunRecord | undefined>();
  known.catch(() => {});
  schedule(0);

  return {
    known,
    push(event) {
      if (isLost) return;
      coalescer.add(event);
      schedule(untilBeat(batchMs));
    },
    async flush() {
      await writing;
      if (isFailing) {
        hold();
        return;
      }
      clearTimeout(timer);
      await work();
    },
    async close(sourceState) {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      if ((await write()) && !isLost) await (await store).endRun(start.runId, sourceState).catch(report);
    },
  };

  /** One write at a time: what comes meanwhile is the next batch. */
  function schedule(delayMs: number): NodeJS.Timeout | undefined {
    if (!timer && !writing) timer = setTimeout(() => void work(), delayMs);
    return timer;
  }

  async function work(): Promise<void> {
    timer = undefined;
    writing = write();
    const isWritten = await writing;
    writing = undefined;
    isFailing = !isWritten;
    if (isWritten) {
      pauseMs = retryMs;
      if (!coalescer.isEmpty()) schedule(untilBeat(batchMs));
    } else {
      // A store that fails must not keep the process alive.
      schedule(pauseMs)?.unref();
      pauseMs = Math.min(2 * pauseMs, LONGEST_RETRY_MS);
    }
  }

  async function write(): Promise<boolean> {
    // Who has it may have ended meanwhile: what was refused once would be begun now, by a run that never was.
    if (isLost) return true;
    unwritten = [...unwritten, ...coalescer.take()];
    try {
      const target = await store;
      if (!isStarted) isKnown(await target.startRun(start));
      isStarted = true;
      if (unwritten.length > 0) await target.append(unwritten);
      unwritten = [];
      return true;
    } catch (error) {
      report(error);
      if (error instanceof GlassboxError && error.code === 'conflict') return lose(error);
      isKnown(undefined);
      hold();
      return false;
    }
  }

  /** Trying again would be of no use, and there is nothing left to write. */
  function lose(error: GlassboxError): true {
    isLost = true;
    isTaken(error);
    unwritten = [];
    options.onLost?.(error);
    return true;
  }

  /** What waits for a store that fails, and no more than is allowed. */
  function hold(): void {
    unwritten = keepNewest([...unwritten, ...coalescer.take()], maxWaiting);
  }

  function report(error: unknown): void {
    if (hasFailed) return;
    hasFailed = true;
    onFailure(error instanceof GlassboxError ? error : new GlassboxError('store', `The store failed: ${error}`));
  }
}

/** All runs of a process write at the same moments: the store is woken once for all of them, and writes them together. */
function untilBeat(batchMs: number): number {
  return batchMs === 0 ? 0 : batchMs - (performance.now() % batchMs);
}

/** When it is too much, the newer half stays and a `gap` stands for the rest. */
function keepNewest(events: AgentEvent[], most: number): AgentEvent[] {
  const sizes = events.map((event) => JSON.stringify(event).length);
  if (sizes.reduce((sum, size) => sum + size, 0) <= most) return events;
  let kept = events.length;
  for (let size = 0; kept > 0 && size + (sizes[kept - 1] ?? 0) <= most / 2; kept -= 1) size += sizes[kept - 1] ?? 0;
  const [first, last] = [events[0], events[kept - 1]];
  if (!first || !last) return events;
  const { seq, at, runId, agent, turn } = last;
  const fromSeq = first.fromSeq ?? first.seq;
  const why = 'The store could not be written to.';
  const stamp = { seq, fromSeq, at, runId, agent, turn, source: 'synthetic' } as const;
  return [{ type: 'gap', from: fromSeq, to: seq, why, ...stamp }, ...events.slice(kept)];
}

function withResolvers<Value>() {
  let [resolve, reject] = [(_: Value) => {}, (_: unknown) => {}];
  const promise = new Promise<Value>((...both) => {
    [resolve, reject] = both;
  });
  return { promise, resolve: (value: Value) => resolve(value), reject: (error: unknown) => reject(error) };
}
