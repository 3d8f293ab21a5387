/**
 * A conversation that was read from disk first and came through a pipe or was kept by glassbox afterwards: what both tell is taken out of what
 * was read, so that it is one session and everything in it is there once.
 */
import type { AgentEvent } from '../event/index.js';
import type { RunRecord, SessionRecord } from '../store/record.js';
import type { Store } from '../store/store.js';
import { knownOf, withoutKnown } from './known.js';
import { findImported, findOtherName, isImported, type ReadSession } from './other-name.js';
import { eventsOf } from './piped.js';
import { dropPipedCopies } from './piped-copy.js';

interface SettleOptions {
  /** Its stream names conversations otherwise than its files do. */
  hasOtherIds?: true | undefined;
}

/** To be called when a run, what came through a pipe, or what was followed on disk has ended and is written. Rejects only when the store fails. */
export async function settleRun(store: Store, runId: string, { hasOtherIds }: SettleOptions = {}): Promise<void> {
  const found = await store.session(runId);
  const session = found && (await dropPipedCopies(store, found)) ? await store.session(found.id) : found;
  if (!session) return;
  const imported = session.runs.filter(isImported);
  for (const run of imported) await trim(store, session, run);
  if (!hasOtherIds) return;
  if (imported.length === 0) await join(store, session, await findImported(store, session));
  else if (imported.length === session.runs.length && imported[0]) await joinKept(store, session, imported[0]);
}

async function trim(store: Store, session: SessionRecord, imported: RunRecord): Promise<void> {
  // Without words nobody can tell what both tell: it is read again when somebody wants to know.
  if (imported.onlyFigures && session.runs.length > 1) return put(store, imported, []);
  const known = await knownOf(store, session, imported.runId);
  const events = await eventsOf(store, imported.runId);
  const left = known ? withoutKnown(events, known) : events;
  if (left.length < events.length) await put(store, imported, left);
}

/** The same conversation under another id: what was read of it goes over to the session that glassbox kept. */
async function join(store: Store, kept: SessionRecord, read: ReadSession | undefined): Promise<void> {
  const [imported] = read?.session.runs ?? [];
  if (!read || !imported || imported.state !== 'ended' || kept.agentSessionId === undefined) return;
  const known = await knownOf(store, kept, imported.runId);
  await store.delete(read.session.id);
  await put(store, imported, known ? withoutKnown(read.events, known) : read.events, kept.agentSessionId);
}

async function joinKept(store: Store, session: SessionRecord, imported: RunRecord): Promise<void> {
  const events = await eventsOf(store, imported.runId);
  const kept = await findOtherName(store, session.agent, events);
  if (kept) await join(store, kept, { session, events });
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
