/**
 * A conversation that was read from disk first and came through a pipe or was kept by glassbox afterwards: what both tell is taken out of what
 * was read, so that it is one session and everything in it is there once.
 */
import type { AgentEvent } from '../event/index.js';
import type { RunRecord, SessionRecord } from '../store/record.js';
import type { Store } from '../store/store.js';
import { knownOf, withoutKnown } from './known.js';
import { eventsOf, findImported, isImported } from './other-name.js';

interface SettleOptions {
  /** Its stream names conversations otherwise than its files do. */
  hasOtherIds?: true | undefined;
}

/** Takes out of this run, which was read from disk, what other runs of its session tell. */
export async function trimImported(store: Store, runId: string): Promise<void> {
  const session = await store.session(runId);
  const imported = session?.runs.find((run) => run.runId === runId);
  if (session && imported) await trim(store, session, imported);
}

/** To be called when a run, or what came through a pipe, has ended and is written. Rejects only when the store fails. */
export async function settleRun(store: Store, runId: string, { hasOtherIds }: SettleOptions = {}): Promise<void> {
  const session = await store.session(runId);
  if (!session) return;
  for (const run of session.runs.filter(isImported)) await trim(store, session, run);
  if (hasOtherIds && session.runs.every((run) => !isImported(run))) await join(store, session);
}

async function trim(store: Store, session: SessionRecord, imported: RunRecord): Promise<void> {
  // Without words nobody can tell what both tell: it is read again when somebody wants to know.
  if (imported.onlyFigures && session.runs.length > 1) return put(store, imported, []);
  const known = await knownOf(store, session, imported.runId);
  const events = await eventsOf(store, imported.runId);
  const left = known ? withoutKnown(events, known) : events;
  if (left.length < events.length) await put(store, imported, left);
}

/** The same conversation under another id: it goes over to the session of the run that has just ended. */
async function join(store: Store, session: SessionRecord): Promise<void> {
  const found = session.agentSessionId === undefined ? undefined : await findImported(store, session);
  const [imported] = found?.session.runs ?? [];
  if (!found || !imported) return;
  const known = await knownOf(store, session, imported.runId);
  await store.delete(found.session.id);
  await put(store, imported, known ? withoutKnown(found.events, known) : found.events, session.agentSessionId);
}

async function put(
  store: Store,
  { runId, agent, startedAt, sourceState = '' }: RunRecord,
  events: readonly AgentEvent[],
  resumes?: string,
): Promise<void> {
  const start = { runId, agent, startedAt, ...(resumes !== undefined && { resumes }) };
  await store.keepRuns([{ start, events, sourceState }]);
}
