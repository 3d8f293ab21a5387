/**
 * All events of a session in the order in which they happened. A run is read as it is; where two overlap, as when a session went back and forth between
 * glassbox and the agent's own program, whole turns come one after the other, each where it ended.
 */
import type { AgentEvent } from '../event/index.js';
import { readListed } from './read-listed.js';
import type { RunRecord } from './record.js';
import type { StoreReader } from './store.js';

/** `runs`: the oldest first. Holds one turn of each run that goes on. */
export async function* readSession(
  store: Pick<StoreReader, 'read'>,
  runs: readonly Pick<RunRecord, 'runId' | 'startedAt'>[],
): AsyncGenerator<AgentEvent, void, undefined> {
  const unread = [...runs];
  const open: Reader[] = [];
  for (;;) {
    const next = open.reduce<Reader | undefined>(
      (first, one) => (first && first.endsAt <= one.endsAt ? first : one),
      undefined,
    );
    const [run] = unread;
    if (run && (!next || run.startedAt <= next.endsAt)) {
      unread.shift();
      const reader = await openReader(store, run.runId);
      if (reader.turn.length > 0) open.push(reader);
    } else if (next) {
      yield* next.turn;
      await next.advance();
      if (next.turn.length === 0) open.splice(open.indexOf(next), 1);
    } else return;
  }
}

interface Reader {
  /** With what came before it began; empty when there is no more. */
  readonly turn: readonly AgentEvent[];
  readonly endsAt: number;
  advance(): Promise<void>;
}

async function openReader(store: Pick<StoreReader, 'read'>, runId: string): Promise<Reader> {
  const events = readListed(store, runId);
  let turn: AgentEvent[] = [];
  const advance = async (): Promise<void> => {
    turn = [];
    for (;;) {
      const { value, done } = await events.next();
      if (done) return;
      turn.push(value);
      if (value.type === 'turn-end') return;
    }
  };
  await advance();
  return {
    get turn() {
      return turn;
    },
    get endsAt() {
      return turn.at(-1)?.at ?? 0;
    },
    advance,
  };
}
