/** The list of sessions as it changes, in any process, and what they do: everything once, then what is new. */
import type { ApprovalRecord, SessionPresence, SessionsMessage } from '../client/api.js';
import type { SessionRecord, Store } from '../store/index.js';
import type { PresenceSource } from './presence-source.js';

/** How many sessions the first message carries; older ones are asked for page by page. */
const SNAPSHOT = 100;

export async function* feedSessions(
  store: Store,
  signal: AbortSignal,
  presences?: Pick<PresenceSource, 'watch'>,
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
  if (!presences) return yield* updatesOf(store, changes);
  yield* merged(updatesOf(store, changes), doingsOf(presences.watch({ signal })));
}

async function* updatesOf(
  store: Store,
  changes: AsyncIterable<SessionRecord[]>,
): AsyncGenerator<SessionsMessage, void> {
  for await (const sessions of changes) {
    yield { type: 'update', sessions, approvals: await waiting(store, sessions) };
  }
}

async function* doingsOf(told: AsyncIterable<readonly SessionPresence[]>): AsyncGenerator<SessionsMessage, void> {
  for await (const presences of told) yield { type: 'presence', presences: [...presences] };
}

/** What either gives, as it comes, until the first has ended; what the other waits for ends with the signal that both have. */
async function* merged<Item>(first: AsyncGenerator<Item, void>, second: AsyncGenerator<Item, void>) {
  const next = async (source: AsyncGenerator<Item, void>) => ({ source, result: await source.next() });
  const pending = new Map([first, second].map((source) => [source, next(source)]));
  try {
    while (pending.has(first)) {
      const { source, result } = await Promise.race(pending.values());
      pending.delete(source);
      if (result.done) continue;
      yield result.value;
      pending.set(source, next(source));
    }
  } finally {
    void second.return().catch(() => {});
    void first.return().catch(() => {});
  }
}

/** Asking for approvals is worth it only when one of the changed sessions may have some. */
async function waiting(store: Store, sessions: readonly SessionRecord[]): Promise<ApprovalRecord[]> {
  const all = sessions.some((session) => session.waiting > 0) ? await store.approvals() : [];
  const changed = new Set(sessions.map((session) => session.id));
  return all.filter((approval) => changed.has(approval.session));
}
