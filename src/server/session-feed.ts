/** The list of sessions as it changes, in any process, and what they do: everything once, then what is new. */
import type { SessionPresence, SessionsMessage, WaitingApproval } from '../client/api.js';
import type { SessionRecord, Store } from '../store/index.js';
import type { PresenceSource } from './presence-source.js';
import type { WaitingApprovals } from './waiting-approvals.js';

export interface FeedSources {
  store: Pick<Store, 'watch' | 'list'>;
  waiting: WaitingApprovals;
  presences?: Pick<PresenceSource, 'watch'> | undefined;
}

/** How many sessions the first message carries; older ones are asked for page by page. */
const SNAPSHOT = 100;

export async function* feedSessions(
  { store, waiting, presences }: FeedSources,
  signal: AbortSignal,
): AsyncGenerator<SessionsMessage, void, undefined> {
  // Listening begins before the snapshot is taken, so that nothing falls between them.
  const changes = store.watch({ signal });
  const [page, approvals] = await Promise.all([store.list({ archived: false, limit: SNAPSHOT }), waiting.list()]);
  yield {
    type: 'snapshot',
    sessions: page.items,
    approvals,
    ...(page.cursor !== undefined && { cursor: page.cursor }),
  };
  if (!presences) return yield* updatesOf(waiting, changes);
  yield* merged(updatesOf(waiting, changes), doingsOf(presences.watch({ signal })));
}

async function* updatesOf(
  waiting: WaitingApprovals,
  changes: AsyncIterable<SessionRecord[]>,
): AsyncGenerator<SessionsMessage, void> {
  for await (const sessions of changes) {
    yield { type: 'update', sessions, approvals: await openIn(sessions, waiting) };
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
async function openIn(sessions: readonly SessionRecord[], waiting: WaitingApprovals): Promise<WaitingApproval[]> {
  if (!sessions.some((session) => session.waiting > 0)) return [];
  return waiting.list(new Set(sessions.map((session) => session.id)));
}
