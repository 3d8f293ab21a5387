/**
 * Finds the session that glassbox kept of a conversation which its stream names otherwise than its file: by the time and the place of a run, or
 * by what was said and done in a stream that came through a pipe.
 */
import type { AgentEvent } from '../event/index.js';
import type { RunRecord, SessionRecord } from '../store/record.js';
import type { Store } from '../store/store.js';
import { eventsOf, findPiped, readPiped } from './piped.js';
import { isTranscript } from './read.js';

/** Sessions that are compared, the newest first: more would take longer than they are worth. */
const LOOKED_AT = 200;
/** A program begins to write a moment after it was started. */
const SLACK_MS = 2000;

export async function findOtherName(
  store: Store,
  agent: string,
  events: readonly AgentEvent[],
): Promise<SessionRecord | undefined> {
  const { items } = await store.list({ agent, limit: LOOKED_AT });
  for (const session of items) if (await isOf(store, session, events)) return session;
  return undefined;
}

/** What was read of a conversation from disk, and nothing else. */
export interface ReadSession {
  session: SessionRecord;
  events: AgentEvent[];
}

/** The session that was imported of the same conversation, before glassbox kept it by itself. */
export async function findImported(store: Store, kept: SessionRecord): Promise<ReadSession | undefined> {
  const { items } = await store.list({ agent: kept.agent, limit: LOOKED_AT });
  for (const session of items) {
    const [run, ...others] = session.runs;
    if (session.id === kept.id || !run || others.length > 0 || !isImported(run)) continue;
    const events = await eventsOf(store, run.runId);
    if (await isOf(store, kept, events)) return { session, events };
  }
  return undefined;
}

/** What was read from disk, by the import or by whoever followed it. */
export const isImported = ({ runId }: RunRecord): boolean => isTranscript(runId);

async function isOf(store: Store, session: SessionRecord, events: readonly AgentEvent[]): Promise<boolean> {
  const begun = events.filter(({ type }) => type === 'turn-start').map(({ at }) => at);
  const introduction = events.find((event) => event.type === 'session-start');
  const cwd = introduction?.type === 'session-start' ? introduction.cwd : undefined;
  const isHere = session.cwd === undefined || cwd === undefined || session.cwd === cwd;
  if (isHere && session.runs.some((run) => begun.some((at) => isDuring(run, at)))) return true;
  const piped = await readPiped(store, session.runs);
  return piped.length > 0 && findPiped(events, piped).size === piped.length;
}

/** What was read from disk or from a pipe was read at any time. */
function isDuring(run: RunRecord, at: number): boolean {
  const { piped, startedAt, endedAt, updatedAt, state } = run;
  if (piped || isImported(run)) return false;
  const to = state === 'ended' ? Math.max(endedAt ?? 0, updatedAt) + SLACK_MS : Number.POSITIVE_INFINITY;
  return startedAt - SLACK_MS <= at && at <= to;
}
