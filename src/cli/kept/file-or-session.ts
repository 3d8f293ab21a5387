/** What a person names who wants to see something again: a file, or a session that is kept. */
import { existsSync } from 'node:fs';
import { GlassboxError } from '../../event/index.js';
import type { SessionRecord, Store } from '../../store/index.js';
import { latestHere, nothingKept } from './named-session.js';

/** What is there is a file; what is not there is one too, if no session could be called so. */
export function isFile(word: string): boolean {
  return existsSync(word) || !/^\w[\w-]*$/.test(word);
}

/** Of a word that is no file; without one the latest session here. */
export async function sessionToShow(word: string | undefined, store: Store, cwd: string): Promise<SessionRecord> {
  if (word === undefined) return latestHere(store, cwd);
  const session = await store.session(word);
  if (session) return session;
  if (word === 'latest') throw nothingKept();
  throw new GlassboxError(
    'not-found',
    `There is neither a file nor a session ${word}. glassbox sessions lists the sessions.`,
  );
}
