/** Lines as they came once: each is handed out when its time has come. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createLineSplitter } from '../../jsonl/index.js';

/** When line `index` (from 0) came, in ms from any beginning; undefined when that is not known. */
export type LineTime = (index: number, line: Uint8Array) => number | undefined;

export interface LineTiming {
  timeOf: LineTime;
  /** 2 is twice as fast. */
  speed: number;
  signal?: AbortSignal;
}

/** Between lines of which nobody knows when they came. */
const STEADY_MS = 50;

export async function* timedLines(
  source: AsyncIterable<Uint8Array>,
  { timeOf, speed, signal }: LineTiming,
): AsyncGenerator<Uint8Array> {
  const startedAt = performance.now();
  let offset: number | undefined;
  let due = 0;
  let index = 0;
  for await (const line of splitLines(source)) {
    const time = timeOf(index, line);
    if (time !== undefined) offset ??= time - due;
    // Never back in time: clocks are set, and lines of two processes overlap.
    due = Math.max(due, time === undefined || offset === undefined ? due + STEADY_MS : time - offset);
    const waitMs = startedAt + due / speed - performance.now();
    if (waitMs > 1) await sleep(waitMs, undefined, signal && { signal });
    yield line;
    index++;
  }
}

async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const splitter = createLineSplitter();
  for await (const bytes of source) yield* splitter.push(bytes);
  yield* splitter.end();
}
