/** The end of a long session, followed by itself: there to be read while the whole of it is still on its way. */
import type { SessionRecord } from '../../../client/index.js';
import type { SessionState } from '../../../session/index.js';
import { createEventQueue } from './event-queue.js';
import { createYield } from './main-thread.js';
import { client } from './server.js';

export interface SessionTail {
  /** How many events further it is than the session was when it was opened. */
  ahead(): number;
  close(): void;
}

type RunRecord = SessionRecord['runs'][number];

/** A screen or two, also where each step takes several events. */
const EVENTS = 600;

/** Resolves when there is something to see, or it is clear that there will not be. */
export function openSessionTail(
  run: RunRecord,
  outer: AbortSignal,
  show: (state: SessionState) => void,
): Promise<SessionTail> {
  const stop = new AbortController();
  const signal = AbortSignal.any([outer, stop.signal]);
  let seq = 0;
  return new Promise((resolve) => {
    const settle = () => resolve({ ahead: () => Math.max(0, seq - run.lastSeq), close: () => stop.abort() });
    const queue = createEventQueue({
      isLoading: () => seq < run.lastSeq,
      show(state) {
        if (signal.aborted) return;
        show(state);
        settle();
      },
    });
    const follow = async () => {
      const takeBreak = createYield();
      const fromSeq = Math.max(1, run.lastSeq - EVENTS + 1);
      for await (const event of client.events(run.runId, { fromSeq, signal })) {
        seq = event.seq;
        queue.push(event);
        if (run.state === 'ended' && seq >= run.lastSeq) return;
        await takeBreak();
      }
    };
    // However it ends, nobody waits for it any longer.
    void follow().then(settle, settle);
  });
}
