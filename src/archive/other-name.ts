/**
 * Finds the session that glassbox kept of a conversation which its stream names otherwise than its file: by the time and the place of a run, or
 * by what was said and done in a stream that came through a pipe.
 */
import type { AgentEvent } from '../event/index.js';
import type { RunRecord, SessionRecord } from '../store/record.js';
import type { Store } from '../store/store.js';
import { findPiped, readPiped } from './piped.js';

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

/** The session that was imported of the same conversation, before glassbox kept it by itself. */
export async function findImported(
  store: Store,
  kept: SessionRecord,
): Promise<{ session: SessionRecord; events: AgentEvent[] } | undefined> {
  const { items } = await store.list({ agent: kept.agent, limit: LOOKED_AT });
  for (const session of items) {
    const [run, ...others] = session.runs;
    if (session.id === kept.id || !run || others.length > 0 || !isImported(run)) continue;
    const events = await eventsOf(store, run.runId);
    if (await isOf(store, kept, events)) return { session, events };
  }
  return undefined;
}

/** What was read from a source that is no pipe. */
export const isImported = ({ sourceState, onlyFigures, piped }: RunRecord): boolean =>
  (sourceState !== undefined || onlyFigures === true) && !piped;

export async function eventsOf(store: Store, runId: string): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of store.read(runId)) events.push(event);
  return events;
}

async function isOf(store: Store, session: SessionRecord, events: readonly AgentEvent[]): Promise<boolean> {
  const begun = events.find(({ type }) => type === 'turn-start')?.at;
  const introduction = events.find((event) => event.type === 'session-start');
  const cwd = introduction?.type === 'session-start' ? introduction.cwd : undefined;
  const isHere = session.cwd === undefined || cwd === undefined || session.cwd === cwd;
  if (isHere && begun !== undefined && session.runs.some((run) => isDuring(run, begun))) return true;
  const piped = await readPiped(store, session.runs);
  return piped.length > 0 && findPiped(events, piped).size === piped.length;
}

/** What was imported or read from a pipe has a source, and was read at any time. */
function isDuring({ sourceState, piped, startedAt, endedAt, updatedAt }: RunRecord, at: number): boolean {
  if (piped || sourceState !== undefined) return false;
  return startedAt - SLACK_MS <= at && at <= Math.max(endedAt ?? 0, updatedAt) + SLACK_MS;
}
