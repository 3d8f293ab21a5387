/** The list of sessions as it changes, in any process: everything once, then what is new. */
import type { SessionsMessage } from '../client/api.js';
import type { SessionRecord, Store } from '../store/index.js';

/** How many sessions the first message carries; older ones are asked for page by page. */
const SNAPSHOT = 100;

export async function* feedSessions(
  store: Store,
  signal: AbortSignal,
): AsyncGenerator<SessionsMessage, void, undefined> {
  // Listening begins before the snapshot is taken, so that nothing falls between them.
  const changes = store.watch({ signal });
  const [page, approvals] = await Promise.all([store.list({ limit: SNAPSHOT }), store.approvals()]);
  yield {
    type: 'snapshot',
    sessions: page.items,
    approvals,
    ...(page.cursor !== undefined && { cursor: page.cursor }),
  };
  for await (const sessions of changes) {
    yield { type: 'update', sessions, approvals: await waiting(store, sessions) };
  }
}

/** Asking for approvals is worth it only when one of the changed sessions may have some. */
async function waiting(store: Store, sessions: readonly SessionRecord[]): Promise<SessionsMessage['approvals']> {
  const all = sessions.some((session) => session.waiting > 0) ? await store.approvals() : [];
  const changed = new Set(sessions.map((session) => session.id));
  return all.filter((approval) => changed.has(approval.session));
}
