/** Lines as they came once: each is handed out when its time has come. */
import { setTimeout as sleep } from 'node:timers/promises';

/** When line `index` (from 0) came, in ms from any beginning; undefined when that is not known. */
export type LineTime = (index: number, line: Uint8Array) => number | undefined;

export interface Pace {
  timeOf: LineTime;
  /** 2 is twice as fast. */
  speed: number;
  signal?: AbortSignal;
}

/** Between lines of which nobody knows when they came. */
const STEADY_MS = 50;
const LF = 0x0a;

export async function* pacedLines(
  source: AsyncIterable<Uint8Array>,
  { timeOf, speed, signal }: Pace,
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

/** Whole lines with their newline; the last one may have none. Linear in the length of a line. */
async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let open: Uint8Array[] = [];
  for await (const bytes of source) {
    let start = 0;
    for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
      yield Buffer.concat([...open, bytes.subarray(start, end + 1)]);
      open = [];
      start = end + 1;
    }
    if (start < bytes.length) open.push(bytes.subarray(start));
  }
  if (open.length > 0) yield Buffer.concat(open);
}
