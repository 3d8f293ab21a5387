/**
 * Brings the history that agents left on disk into the store.
 *
 * It can be repeated at any time: what did not change is not read again, what changed replaces what was there, and what glassbox kept
 * itself while it happened is left out.
 */
import type { RunRecord, SessionRecord } from '../store/record.js';
import type { Store } from '../store/store.js';
import type { Conversation } from './find.js';
import { findOrigin } from './origin.js';
import { readConversation, runIdOf } from './read.js';

export interface ImportOptions {
  store: Store;
  conversations: readonly Conversation[];
  onProgress?: (progress: ImportProgress) => void;
  /** Stops between two conversations. */
  signal?: AbortSignal;
}

export interface ImportProgress {
  conversations: number;
  bytes: number;
}

export interface ImportResult {
  /** Sessions that are new or changed. */
  imported: number;
  /** Sessions that were there already. */
  unchanged: number;
  /** Without a conversation, or kept by glassbox itself. */
  skipped: number;
  events: number;
  /** Files that could not be read. */
  failed: { path: string; message: string }[];
}

type Outcome = 'unchanged' | 'skipped' | { events: number };

/** Events per call: small enough that others get their turn. */
const BATCH = 500;
/** The agent may still write a moment after its run has ended. */
const AFTERWARDS_MS = 2000;

/** Rejects only when the store fails. */
export async function importConversations(options: ImportOptions): Promise<ImportResult> {
  const { store, conversations, onProgress, signal } = options;
  const result: ImportResult = { imported: 0, unchanged: 0, skipped: 0, events: 0, failed: [] };
  const done = new Set<Conversation>();
  const progress: ImportProgress = { conversations: 0, bytes: 0 };
  for (const conversation of conversations) {
    if (signal?.aborted) break;
    await bring(conversation);
  }
  return result;

  async function bring(conversation: Conversation): Promise<void> {
    if (done.has(conversation)) return;
    done.add(conversation);
    const outcome = await importOne(conversation);
    if (outcome === 'unchanged' || outcome === 'skipped') result[outcome] += 1;
    else if (outcome) {
      result.imported += 1;
      result.events += outcome.events;
    }
    progress.conversations += 1;
    progress.bytes += conversation.bytes;
    onProgress?.({ ...progress });
  }

  async function importOne(conversation: Conversation): Promise<Outcome | undefined> {
    const { agent, sessionId, state, files } = conversation;
    const runId = runIdOf(conversation);
    const session = (await store.session(runId)) ?? (await store.session(sessionId));
    if (session?.runs.some((run) => run.runId === runId && run.sourceState === state)) return 'unchanged';
    const reading = await readConversation(conversation, keptByRuns(session, runId)).catch((error: Error) => {
      result.failed.push({ path: files[0]?.path ?? '', message: error.message });
    });
    const first = reading?.events[0];
    if (!reading) return undefined;
    if (!first) return 'skipped';
    const origin = reading.copiedFrom && (await findOrigin(reading.copiedFrom, conversation, conversations));
    // A fork is linked to its origin, so that has to be there first.
    if (origin) await bring(origin);
    const fork = origin ? { resumes: origin.sessionId, fork: true } : {};
    await store.startRun({ runId, agent: agent.name, startedAt: first.at, owned: false, replace: true, ...fork });
    for (let from = 0; from < reading.events.length; from += BATCH) {
      await store.append(reading.events.slice(from, from + BATCH));
    }
    await store.endRun(runId, state);
    return { events: reading.events.length };
  }
}

/** Whether a run of this session, that glassbox kept itself, was going on at a time. */
function keptByRuns(session: SessionRecord | undefined, importedId: string): (at: number) => boolean {
  const times = (session?.runs ?? []).filter((run) => run.runId !== importedId).map(timeOf);
  return (at) => times.some(([from, to]) => from <= at && at <= to);
}

function timeOf({ startedAt, endedAt, updatedAt, state }: RunRecord): [number, number] {
  return [startedAt, state === 'ended' ? Math.max(endedAt ?? 0, updatedAt) + AFTERWARDS_MS : Number.POSITIVE_INFINITY];
}
