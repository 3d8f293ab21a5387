/** `glassbox sessions`: what was run, the last active first. */
import type { ListQuery, SessionRecord, StoreReader } from '../../../store/index.js';
import { safeJson } from '../../../view/text/safe.js';
import type { Context } from '../../context.js';
import { filterOf } from '../../flag/filter-flag.js';
import { tellOfLeftovers } from '../../kept/leftover-note.js';
import { HOW_TO_BEGIN } from '../../kept/named-session.js';
import { sessionsNow } from '../../kept/session-now.js';
import { withStoreReader } from '../../kept/with-store-reader.js';
import { note } from '../../print/note.js';
import { sessionRows } from '../../print/session-rows.js';
import { print } from '../../print/sink.js';
import type { SessionsFlags } from './command.js';

export async function listSessions(this: Context, flags: SessionsFlags, ...words: string[]): Promise<void> {
  const { stdout, stderr, env } = this.process;
  const query: ListQuery & { limit: number } = {
    ...filterOf(flags, this.process),
    text: words.join(' '),
    limit: flags.limit,
  };
  if (flags.state) query.state = flags.state;
  if (flags.pinned) query.pinned = true;
  query.archived = flags.archived ?? false;
  const leftovers = tellOfLeftovers(stderr);
  await withStoreReader(flags, async (store) => {
    const { items, hasMore } = await pinnedFirst(store, query);
    const presences = (await sessionsNow({ store, env, sessions: items })).map(({ seen }) => seen.presence);
    if (flags.json)
      return print(
        stdout,
        items.map((session, index) => safeJson({ schema: 1, ...session, presence: presences[index] })),
      );
    await print(stdout, sessionRows(items, this.process, { color: flags.color, presences }));
    if (items.length === 0) note(stderr, await emptyText(store));
    else if (hasMore) note(stderr, `these are the latest ${items.length}; --limit ${flags.limit * 5} shows more.`);
    else tellWaiting(items, stderr);
  });
  await leftovers;
}

/** What a person keeps is what is looked for most. */
async function pinnedFirst(
  store: Pick<StoreReader, 'list'>,
  query: ListQuery & { limit: number },
): Promise<{ items: SessionRecord[]; hasMore: boolean }> {
  const kept = await store.list({ ...query, pinned: true });
  const left = query.limit - kept.items.length;
  const others = query.pinned ? { items: [] } : await store.list({ ...query, pinned: false, limit: Math.max(1, left) });
  const items = [...kept.items, ...others.items];
  const hasMore = [kept, others].some(({ cursor }) => cursor !== undefined) || items.length > query.limit;
  return { items: items.slice(0, query.limit), hasMore };
}

/** Nothing to see is the moment to say how there would be. */
export async function emptyText(store: Pick<StoreReader, 'list'>): Promise<string> {
  const any = (await store.list({ limit: 1 })).items.length > 0;
  if (any) return 'no session is like that. glassbox sessions lists all.';
  return `there are no sessions yet. ${HOW_TO_BEGIN}`;
}

function tellWaiting(sessions: readonly SessionRecord[], stderr: NodeJS.Process['stderr']): void {
  const waiting = sessions.filter(({ state }) => state === 'waiting').length;
  if (waiting > 0) note(stderr, `${waiting} wait${waiting === 1 ? 's' : ''} for your answer.`);
}
