/** Everything that happens in a run from one event on, wherever it runs, in pieces that are ready to be sent. */
import type { AgentEvent } from '../event/index.js';
import type { Store } from '../store/index.js';
import { type LiveRun, messageOf, type Piece } from './live-run.js';
import type { Throttle } from './throttle.js';

/** How many kept events go into one piece. */
const BATCH = 256;

export interface FeedNeeds {
  store: Store;
  live: LiveRun | undefined;
  throttle: Throttle;
  signal: AbortSignal;
}

export async function* feedRun(
  runId: string,
  fromSeq: number,
  { store, live, throttle, signal }: FeedNeeds,
): AsyncGenerator<Uint8Array, void, undefined> {
  let seq = fromSeq - 1;
  const take = (piece: Piece): Uint8Array => {
    seq = piece.seq;
    return piece.bytes;
  };
  if (live) {
    while (!signal.aborted) {
      const piece = live.after(seq);
      if (piece === 'gone') for await (const kept of pieces(store.read(runId, seq + 1))) yield take(kept);
      else if (piece) yield take(piece);
      else if (live.isEnded()) return;
      else {
        await live.more(seq, signal);
        await throttle();
      }
    }
    return;
  }
  for await (const kept of pieces(store.read(runId, seq + 1))) yield take(kept);
  for await (const event of store.tail(runId, { fromSeq: seq + 1, signal })) yield pieceOf([event]).bytes;
}

async function* pieces(events: AsyncIterable<AgentEvent>): AsyncGenerator<Piece, void, undefined> {
  let batch: AgentEvent[] = [];
  for await (const event of events) {
    batch.push(event);
    if (batch.length < BATCH) continue;
    yield pieceOf(batch);
    batch = [];
  }
  if (batch.length > 0) yield pieceOf(batch);
}

function pieceOf(events: readonly AgentEvent[]): Piece {
  return { seq: events.at(-1)?.seq ?? 0, bytes: Buffer.from(events.map(messageOf).join('')) };
}
