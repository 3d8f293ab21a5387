/** Everything that happens in a run from one event on, wherever it runs, in batches that are ready to be sent. */
import type { AgentEvent } from '../event/index.js';
import type { Store } from '../store/index.js';
import type { Frame, LiveRun } from './live-run.js';

/** How many kept events go into one batch. */
const BATCH = 256;

export async function* feedRun(
  runId: string,
  fromSeq: number,
  { store, live, signal }: { store: Store; live: LiveRun | undefined; signal: AbortSignal },
): AsyncGenerator<Frame[], void, undefined> {
  let seq = fromSeq - 1;
  if (live) {
    while (!signal.aborted) {
      const frames = live.after(seq);
      if (frames === 'gone') {
        for await (const batch of batches(store.read(runId, seq + 1))) {
          seq = batch.at(-1)?.seq ?? seq;
          yield batch;
        }
        continue;
      }
      if (frames.length > 0) {
        seq = frames.at(-1)?.seq ?? seq;
        yield frames;
      } else if (live.isEnded()) return;
      else await live.more(seq, signal);
    }
    return;
  }
  yield* batches(store.read(runId, seq + 1), (last) => {
    seq = last;
  });
  for await (const event of store.tail(runId, { fromSeq: seq + 1, signal })) yield [frameOf(event)];
}

async function* batches(
  events: AsyncIterable<AgentEvent>,
  onLast?: (seq: number) => void,
): AsyncGenerator<Frame[], void, undefined> {
  let batch: Frame[] = [];
  for await (const event of events) {
    batch.push(frameOf(event));
    onLast?.(event.seq);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function frameOf(event: AgentEvent): Frame {
  return { seq: event.seq, fromSeq: event.fromSeq ?? event.seq, json: JSON.stringify({ schema: 1, ...event }) };
}
