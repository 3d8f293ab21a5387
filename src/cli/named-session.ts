/** The session that a person means, and what to say when there is none. */
import { GlassboxError } from '../event/index.js';
import type { SessionRecord, Store } from '../store/index.js';

/** By what was typed; without that the latest one here. */
export async function namedSession(store: Store, ref: string | undefined, cwd: string): Promise<SessionRecord> {
  if (ref === undefined) return latestHere(store, cwd);
  const session = await store.session(ref);
  if (!session) throw noSession(ref);
  return session;
}

export async function latestHere(store: Store, cwd: string): Promise<SessionRecord> {
  const [latest] = (await store.list({ project: cwd, limit: 1 })).items;
  if (latest) return latest;
  throw new GlassboxError(
    'not-found',
    'There is no session of this directory yet. glassbox sessions lists all of them; glassbox import brings those that agents left.',
  );
}

export function noSession(ref: string): GlassboxError {
  return new GlassboxError('not-found', `There is no session ${ref}. See glassbox sessions.`);
}
