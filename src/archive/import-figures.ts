/**
 * Brings what a history spent into the store before its words: a figure is wanted soon, and the words take ten times as long. The sums are those that
 * come of the whole. Where an agent has no such way, or glassbox knows a part of the session already, all of it is read.
 */

import type { Store } from '../store/store.js';
import type { OpenDatabase } from './database.js';
import { readFigures, tellsFigures } from './figures.js';
import type { Conversation, Unreadable } from './find.js';
import { type ImportProgress, importConversations } from './import.js';
import { type ReadConversation, runIdOf } from './read.js';
import { createRunWriter } from './run-writer.js';
import { whatIsThere } from './what-is-there.js';

interface FiguresOptions {
  store: Store;
  conversations: readonly Conversation[];
  openDatabase?: OpenDatabase;
  onProgress?: (progress: ImportProgress) => void;
  /** Stops between two conversations. */
  signal?: AbortSignal;
}

interface FiguresResult {
  /** Conversations whose figures are there now, of how many. */
  read: number;
  of: number;
  /** Of how many the words are still to be read. */
  wordless: number;
  failed: Unreadable[];
}

/** Rejects only when the store fails. */
export async function importFigures(options: FiguresOptions): Promise<FiguresResult> {
  const { store, conversations, openDatabase, onProgress, signal } = options;
  const there = await whatIsThere(store);
  const result: Omit<FiguresResult, 'wordless'> = { read: 0, of: conversations.length, failed: [] };
  const whole: Conversation[] = [];
  const progress: ImportProgress = { conversations: 0, bytes: 0 };
  const writer = createRunWriter(store);
  for (const conversation of conversations) {
    if (signal?.aborted) break;
    await bring(conversation);
    progress.conversations += 1;
    progress.bytes += conversation.bytes;
    onProgress?.({ ...progress });
  }
  await writer.close();
  if (!signal?.aborted) await bringWhole();
  const { isCounted } = await whatIsThere(store);
  const wordless = conversations.filter((one) => isCounted(runIdOf(one), one.state)).length;
  return { ...result, wordless };

  async function bring(conversation: Conversation): Promise<void> {
    const { agent, sessionId, state } = conversation;
    const runId = runIdOf(conversation);
    if (there.isCounted(runId, state) || there.isRead(runId, state)) {
      result.read += 1;
      return;
    }
    const isKnown = there.hasWords(runId) || (there.has(sessionId) && !there.has(runId));
    if (isKnown || agent.transcripts?.hasOtherIds || !tellsFigures(conversation)) {
      whole.push(conversation);
      return;
    }
    const reading = figuresOf(conversation);
    if (!reading) return;
    const { events, copiedFrom, forkOf } = reading;
    const [first] = events;
    // A copy is linked to what it was copied from.
    if (copiedFrom !== undefined || forkOf !== undefined) whole.push(conversation);
    else {
      result.read += 1;
      if (!first) return;
      const start = { runId, agent: agent.name, startedAt: first.at };
      await writer.write({ start, events, sourceState: state, onlyFigures: true });
    }
  }

  function figuresOf(conversation: Conversation): ReadConversation | undefined {
    try {
      return readFigures(conversation);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      result.failed.push({ path: conversation.files[0]?.path ?? '', message });
      return undefined;
    }
  }

  async function bringWhole(): Promise<void> {
    if (whole.length === 0) return;
    const wanted = new Set(whole);
    const { failed } = await importConversations({
      store,
      conversations,
      only: wanted,
      ...(openDatabase && { openDatabase }),
      ...(signal && { signal }),
    });
    result.read += whole.length - failed.length;
    result.failed.push(...failed);
  }
}
