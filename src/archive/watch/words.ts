/**
 * Reads the words of conversations of which only the figures are kept, while nobody waits for them: one after the other, the newest first, and with a
 * rest after each, so that what happens now is seen as soon as always. Whoever stops it loses nothing: the next one goes on with the rest.
 */
import { setTimeout } from 'node:timers/promises';
import type { Agent } from '../../agent/agent.js';
import type { Store } from '../../store/store.js';
import type { OpenDatabase } from '../database.js';
import { type Conversation, findConversations, type Unreadable } from '../find.js';
import { importConversations } from '../import.js';
import { runIdOf } from '../read.js';

/** How many conversations have their words now, of those that had none. */
export interface WordsProgress {
  read: number;
  of: number;
}

interface WordsOptions {
  store: Store;
  places: readonly { agent: Agent; folder: string }[];
  openDatabase: OpenDatabase | undefined;
  isIgnored(path: string): boolean;
  /** Work at a conversation waits for its turn. */
  inTurn(conversation: Conversation, work: () => Promise<void>): Promise<void>;
  onProgress(progress: WordsProgress): void;
  onTrouble(path: string, message: string): void;
  signal: AbortSignal;
}

/** Rejects only when the store fails. */
export async function readWords(options: WordsOptions): Promise<void> {
  const { store, openDatabase, inTurn, onProgress, onTrouble, signal } = options;
  const wordless = await wordlessOf(options);
  if (wordless.length === 0) return;
  const progress: WordsProgress = { read: 0, of: wordless.length };
  onProgress({ ...progress });
  for (const conversation of wordless) {
    const begun = performance.now();
    await inTurn(conversation, () => bring(conversation));
    if (signal.aborted) return;
    progress.read += 1;
    onProgress({ ...progress });
    await setTimeout(performance.now() - begun, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }

  async function bring(conversation: Conversation): Promise<void> {
    if (signal.aborted) return;
    const database = openDatabase && { openDatabase };
    const { failed } = await importConversations({ store, conversations: [conversation], ...database, signal });
    for (const { path, message } of failed satisfies Unreadable[]) onTrouble(path, message);
  }
}

/** The newest first. */
async function wordlessOf({ store, places, openDatabase, isIgnored, signal }: WordsOptions): Promise<Conversation[]> {
  const sources = await store.sources();
  const counted = new Set(sources.filter(({ onlyFigures }) => onlyFigures).map(({ runId }) => runId));
  const found: Conversation[] = [];
  for (const { agent, folder } of places) {
    // Their names tell whose they are, and looking for none costs nothing.
    if (signal.aborted || !sources.some(({ agent: name, onlyFigures }) => onlyFigures && name === agent.name)) continue;
    const there = await findConversations(agent, folder, openDatabase);
    found.push(...there.filter((one) => counted.has(runIdOf(one))).toReversed());
  }
  const wanted: Conversation[] = [];
  for (const one of found) {
    const { cwd } = (await store.session(runIdOf(one))) ?? {};
    if (![cwd, ...one.files.map(({ path }) => path)].some((path) => path !== undefined && isIgnored(path)))
      wanted.push(one);
  }
  return wanted;
}
