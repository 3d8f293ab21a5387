/**
 * Brings the history that agents left on disk into the store.
 *
 * It can be repeated at any time: what did not change is not read again, what changed replaces what was there, and what glassbox kept
 * itself while it happened is left out.
 */
import { type AgentEvent, defined } from '../event/index.js';
import type { SessionRecord, WholeRun } from '../store/record.js';
import type { Store } from '../store/store.js';
import { besidesOf, withBesides } from './besides.js';
import type { OpenDatabase } from './database.js';
import type { Conversation, Unreadable } from './find.js';
import { knownOf, withoutKnown } from './known.js';
import { findOrigin } from './origin.js';
import { findOtherName } from './other-name.js';
import { type ReadConversation, readConversation, runIdOf } from './read.js';
import { createRunWriter } from './run-writer.js';
import { whatIsThere } from './what-is-there.js';

export interface ImportOptions {
  store: Store;
  conversations: readonly Conversation[];
  /** Of them only these, with what they were copied from. */
  only?: ReadonlySet<Conversation>;
  /** For agents that keep their conversations in one. */
  openDatabase?: OpenDatabase;
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
  /** Sessions that were there already, or that somebody follows right now. */
  unchanged: number;
  /** Without a conversation, or kept by glassbox itself. */
  skipped: number;
  events: number;
  /** Files that could not be read. */
  failed: Unreadable[];
}

type Outcome = 'unchanged' | 'skipped' | 'failed' | { events: number };

/** Rejects only when the store fails. */
export async function importConversations(options: ImportOptions): Promise<ImportResult> {
  const { store, conversations, only, openDatabase, onProgress, signal } = options;
  const result: ImportResult = { imported: 0, unchanged: 0, skipped: 0, events: 0, failed: [] };
  const done = new Set<Conversation>();
  const progress: ImportProgress = { conversations: 0, bytes: 0 };
  const there = await whatIsThere(store);
  const writer = createRunWriter(store);
  for (const conversation of conversations) {
    if (signal?.aborted) break;
    if (!only || only.has(conversation)) await bring(conversation);
  }
  for (const { events } of await writer.close()) {
    result.imported -= 1;
    result.unchanged += 1;
    result.events -= events.length;
  }
  return result;

  async function bring(conversation: Conversation): Promise<void> {
    if (done.has(conversation)) return;
    done.add(conversation);
    const outcome = await importOne(conversation);
    if (outcome === 'unchanged' || outcome === 'skipped') result[outcome] += 1;
    else if (outcome !== 'failed') {
      result.imported += 1;
      result.events += outcome.events;
    }
    progress.conversations += 1;
    progress.bytes += conversation.bytes;
    onProgress?.({ ...progress });
  }

  async function importOne(conversation: Conversation): Promise<Outcome> {
    const { agent, sessionId, state, files } = conversation;
    const runId = runIdOf(conversation);
    if (there.isRead(runId, state)) return 'unchanged';
    const reading = await readConversation(conversation, openDatabase).catch((error: Error) => {
      result.failed.push({ path: files[0]?.path ?? '', message: error.message });
    });
    if (!reading) return 'failed';
    const same = there.has(runId)
      ? await store.session(runId)
      : there.has(sessionId)
        ? await store.session(sessionId)
        : undefined;
    const other =
      same || !agent.transcripts?.hasOtherIds ? undefined : await findOtherName(store, agent.name, reading.events);
    const left = await leftOf(reading.events, same ?? other, runId);
    const events = there.has(runId) ? withBesides(left, await besidesOf(store, runId)) : left;
    const [first] = events;
    if (!first && !there.has(runId)) return 'skipped';
    const origin = originOf(reading, conversation);
    // A fork is linked to its origin, so that has to be there first.
    if (origin) await bring(origin);
    const resumes = origin ? origin.sessionId : other?.agentSessionId;
    const link = { resumes, fork: origin ? (true as const) : undefined };
    const start: WholeRun['start'] = defined({ runId, agent: agent.name, startedAt: first?.at ?? 0, ...link });
    await writer.write({ start, events, sourceState: state });
    return first ? { events: events.length } : 'skipped';
  }

  async function leftOf(
    events: readonly AgentEvent[],
    session: SessionRecord | undefined,
    runId: string,
  ): Promise<readonly AgentEvent[]> {
    const known = await knownOf(store, session, runId);
    const left = known ? withoutKnown(events, known) : events;
    // Somebody opened it and said nothing.
    return left.some(({ type }) => type === 'turn-start' || type === 'user-message') ? left : [];
  }

  function originOf({ forkOf, copiedFrom }: ReadConversation, fork: Conversation): Conversation | undefined {
    if (copiedFrom !== undefined) return findOrigin(copiedFrom, fork, conversations);
    return conversations.find(
      ({ agent, sessionId }) => agent === fork.agent && sessionId === forkOf && fork.sessionId !== forkOf,
    );
  }
}
