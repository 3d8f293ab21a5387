/** The session that a person means, and what to say when there is none. */
import { GlassboxError } from '../../event/index.js';
import type { SessionRecord, Store } from '../../store/index.js';

/** By what was typed; without that the latest one here. */
export async function namedSession(store: Store, ref: string | undefined, cwd: string): Promise<SessionRecord> {
  if (ref === undefined) return latestHere(store, cwd);
  const session = await store.session(ref);
  if (!session) throw noSession(ref);
  return session;
}

/** Each once, in the order in which they were named. */
export async function namedSessions(store: Store, refs: readonly string[]): Promise<SessionRecord[]> {
  const named = new Map<string, SessionRecord>();
  for (const ref of refs) {
    const session = await namedSession(store, ref, '');
    named.set(session.id, session);
  }
  return [...named.values()];
}

/** Never a start that failed: nothing is to be seen in it or to be continued. */
export async function latestHere(
  store: Store,
  cwd: string,
  fits: (session: SessionRecord) => boolean = () => true,
): Promise<SessionRecord> {
  let cursor: string | undefined;
  do {
    const page = await store.list({ project: cwd, begun: true, limit: 20, ...(cursor && { cursor }) });
    const latest = page.items.find(fits);
    if (latest) return latest;
    cursor = page.cursor;
  } while (cursor);
  throw new GlassboxError(
    'not-found',
    'There is no session of this directory yet. glassbox sessions lists all of them; glassbox import brings those that agents left.',
  );
}

function noSession(ref: string): GlassboxError {
  if (ref === 'latest') return nothingKept();
  if (ref.trim() === '') return new GlassboxError('invalid-request', 'The id is empty. See glassbox sessions.');
  return new GlassboxError('not-found', `There is no session ${ref}. See glassbox sessions.`);
}

export const HOW_TO_BEGIN =
  'glassbox run keeps every run; glassbox import brings the history that agents left on this machine.';

/** Whoever asks for the latest one named none that could be wrong. */
export function nothingKept(): GlassboxError {
  return new GlassboxError('not-found', `Nothing that could be shown is kept yet. ${HOW_TO_BEGIN}`);
}
