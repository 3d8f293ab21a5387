/** Lines as they came once: each is handed out when its time has come. */
import { createLineSplitter } from '../../jsonl/index.js';
import { createPace } from './pace.js';

/** When line `index` (from 0) came, in ms from any beginning; undefined when that is not known. */
export type LineTime = (index: number, line: Uint8Array) => number | undefined;

export interface LineTiming {
  timeOf: LineTime;
  /** 2 is twice as fast. */
  speed: number;
  signal?: AbortSignal;
}

export async function* timedLines(
  source: AsyncIterable<Uint8Array>,
  { timeOf, speed, signal }: LineTiming,
): AsyncGenerator<Uint8Array> {
  const pace = createPace(speed, signal);
  let index = 0;
  for await (const line of splitLines(source)) {
    await pace.wait(timeOf(index, line));
    yield line;
    index++;
  }
}

async function* splitLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const splitter = createLineSplitter();
  for await (const bytes of source) yield* splitter.push(bytes);
  yield* splitter.end();
}
