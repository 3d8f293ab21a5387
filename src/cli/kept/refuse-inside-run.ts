/** What only people may do is refused inside a run, and the run tells that it was tried, where it can be reached. */
import { insideRefusal, isOfRun, runAround } from '../../run/index.js';
import type { StoreFlag } from '../flag/store-flag.js';
import { TERMINAL_DECIDER } from '../terminal-decider.js';
import { liveSessions } from './live-session.js';
import { withStore } from './with-store.js';

/** Whoever waits for the refusal is an agent; its run answers at once, or not at all. */
const PATIENCE_MS = 2000;

/** `what`, as in "delete sessions": throws when it is done from inside a run. */
export async function refuseInsideRun(what: string, flags: StoreFlag = {}): Promise<void> {
  const around = await runAround();
  if (around === undefined) return;
  // A store that cannot be opened keeps nobody from being refused.
  await tellOfAttempt(around, what, flags).catch(() => {});
  throw insideRefusal(what);
}

async function tellOfAttempt(around: string, what: string, flags: StoreFlag): Promise<void> {
  await withStore(flags, async (store) => {
    const runs = (await liveSessions(store)).flatMap((session) => session.runs);
    const from = { ...TERMINAL_DECIDER, inside: around };
    for (const { runId, state } of runs) {
      if (state === 'ended' || !isOfRun(around, runId)) continue;
      await store.tell(runId, { type: 'attempt', what }, from, { patienceMs: PATIENCE_MS });
    }
  });
}
