/** `glassbox wait`: follows a session in the store until it is in the state that somebody waits for. */
import type { SessionRecord, Store } from '../../../store/index.js';
import type { Context } from '../../context.js';
import { type ExitStatus, STATUS_OF_REASON } from '../../exit-status.js';
import { createInterrupt } from '../../interrupt.js';
import { liveSession } from '../../kept/live-session.js';
import { namedSession } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { note } from '../../print/note.js';
import { print } from '../../print/sink.js';
import type { WaitFlags } from './command.js';

export async function waitForSession(this: Context, flags: WaitFlags, ref?: string): Promise<void> {
  const { process } = this;
  using interrupt = createInterrupt(process);
  const time = flags.timeout === undefined ? [] : [AbortSignal.timeout(flags.timeout)];
  const signal = AbortSignal.any([interrupt.signal, ...time]);
  process.exitCode = await withStore(flags, async (store) => {
    // Listened first and looked then, so that no change falls in between.
    const changes = store.watch({ signal });
    const first = ref === undefined ? await liveSession(store, undefined) : await namedSession(store, ref, '');
    const reached = await reach(first, changes, store, flags.for);
    if (!reached) {
      const { state } = (await store.session(first.id)) ?? first;
      if (!interrupt.signal.aborted) note(process.stderr, `the time is over; ${first.id} is ${state}.`);
      return interrupt.status() ?? 124;
    }
    await print(process.stdout, [described(reached)]);
    return statusOf(reached, flags.for);
  });
}

/** Undefined when it was not reached before the waiting ended. */
async function reach(
  first: SessionRecord,
  changes: AsyncIterable<SessionRecord[]>,
  store: Store,
  goal: WaitFlags['for'],
): Promise<SessionRecord | undefined> {
  const isThere = ({ state }: SessionRecord) => state === 'ended' || state === goal;
  if (isThere(first)) return first;
  for await (const some of changes) {
    // It may have become part of another one meanwhile, which still answers to its id.
    const now = some.find(({ id }) => id === first.id) ?? (await store.session(first.id));
    if (now && isThere(now)) return now;
  }
  return undefined;
}

function described({ id, state, outcome, waiting }: SessionRecord): string {
  if (state === 'waiting') return `${id} waits for ${waiting === 1 ? 'an answer' : `${waiting} answers`}.`;
  return `${id} has ended: ${outcome ?? 'how is not known'}.`;
}

function statusOf({ state, outcome }: SessionRecord, goal: WaitFlags['for']): ExitStatus {
  if (goal === 'waiting') return state === 'waiting' ? 0 : 1;
  // Its owner died, or its stream ended, without saying how it went.
  return outcome === undefined || outcome === 'interrupted' ? 4 : STATUS_OF_REASON[outcome];
}
