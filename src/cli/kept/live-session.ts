/** Sessions whose agent works or waits now, whichever process runs it. */
import { GlassboxError } from '../../event/index.js';
import type { RunState, SessionRecord, Store } from '../../store/index.js';
import { namedSession } from './named-session.js';

/** Those that wait for somebody first, each group with the last active first. */
export async function liveSessions(store: Pick<Store, 'list'>): Promise<SessionRecord[]> {
  return [...(await inState(store, 'waiting')), ...(await inState(store, 'running'))];
}

async function inState(store: Pick<Store, 'list'>, state: RunState): Promise<SessionRecord[]> {
  const found: SessionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list({ state, limit: 100, ...(cursor !== undefined && { cursor }) });
    found.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

/** By what was typed; without that the only one that is live. */
export async function liveSession(store: Store, ref: string | undefined): Promise<SessionRecord> {
  if (ref !== undefined) return requireLive(await namedSession(store, ref, ''));
  const live = await liveSessions(store);
  const [only, ...others] = live;
  if (!only) throw new GlassboxError('not-found', 'No agent is at work. glassbox sessions lists what was run.');
  if (others.length > 0) {
    const ids = live.map(({ id }) => id).join(', ');
    throw new GlassboxError('invalid-request', `Say which one: ${ids}. glassbox ps tells what they do.`);
  }
  return only;
}

function requireLive(session: SessionRecord): SessionRecord {
  if (session.state !== 'ended') return session;
  const { id, agentSessionId } = session;
  const next = agentSessionId === undefined ? '' : ` Go on with: glassbox resume ${id} "…"`;
  throw new GlassboxError('conflict', `The session ${id} has ended.${next}`);
}
