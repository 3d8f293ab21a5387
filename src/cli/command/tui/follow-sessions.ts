/** Which sessions there are now, of any process: what lives, what waits, and what ended today, told again whenever one of them changes. */
import { setTimeout } from 'node:timers/promises';
import { isoDay, parseMoment } from '../../../client/moment.js';
import { agentNamed } from '../../../decode/index.js';
import type { Figure } from '../../../ledger/index.js';
import type { SessionPresences } from '../../../observer/index.js';
import type { Presence } from '../../../presence/index.js';
import type { ApprovalRecord, SessionRecord, Store } from '../../../store/index.js';
import type { Listed } from '../../../view/panels/index.js';
import { liveSessions } from '../../kept/live-session.js';

export interface FollowSessionsOptions {
  store: Store;
  presences: SessionPresences;
  signal: AbortSignal;
  /** All of them, in any order. */
  onListed(listed: readonly Listed[]): void;
  /** What was spent today, where that is known. */
  onSpent(today: Figure | undefined): void;
  /** A session as it is now. */
  onChange(session: SessionRecord): void;
}

export interface SessionList {
  /** Settles when the following is over; rejects when the store fails. */
  readonly done: Promise<void>;
  /** As it is listed, whether it is among them or not. */
  listedAs(session: SessionRecord): Listed;
}

/** Of those that ended today, so many. */
const MOST_ENDED = 100;
/** Sessions that are removed are not announced, and days end. */
const AGAIN_MS = 15_000;

export function followSessions({
  store,
  presences,
  signal,
  onListed,
  onSpent,
  onChange,
}: FollowSessionsOptions): SessionList {
  let sessions = new Map<string, SessionRecord>();
  let seen = new Map<string, Presence>();
  let questions: readonly ApprovalRecord[] = [];

  const listedAs = (session: SessionRecord): Listed => ({
    session,
    presence: seen.get(session.id),
    questions: questions.filter((one) => one.session === session.id),
    canEdit: agentNamed(session.agent)?.capabilities.editInput !== false,
  });
  const tell = () => onListed([...sessions.values()].map(listedAs));

  async function readAll(): Promise<void> {
    const since = parseMoment('today');
    const ended = await store.list({ since, begun: true, archived: false, limit: MOST_ENDED });
    const live = await liveSessions(store);
    const others = await Promise.all(
      [...seen.keys()].map(async (id) => sessions.get(id) ?? (await store.session(id).catch(() => undefined))),
    );
    questions = await store.approvals();
    const all = [...others.filter((one) => one !== undefined), ...ended.items, ...live];
    sessions = new Map(all.map((session) => [session.id, session]));
    tell();
    const days = await store.totals({ by: 'day', since });
    onSpent(days.find(({ key }) => key === isoDay(since))?.spent);
  }

  async function followStore(changes: AsyncIterable<SessionRecord[]>): Promise<void> {
    for await (const some of changes) {
      const isAsked = some.some(({ id, waiting }) => waiting > 0 || questions.some(({ session }) => session === id));
      if (isAsked) questions = await store.approvals();
      const since = parseMoment('today');
      for (const session of some) {
        dropParts(session);
        if (session.archived) sessions.delete(session.id);
        else if (isToday(session, since)) sessions.set(session.id, session);
        onChange(session);
      }
      tell();
    }
  }

  /** A run may turn out to go on with another session; then there is none of its own any more. */
  function dropParts({ id, runs }: SessionRecord): void {
    for (const other of sessions.values())
      if (other.id !== id && other.runs.some(({ runId }) => runs.some((run) => run.runId === runId)))
        sessions.delete(other.id);
  }

  const isToday = ({ id, state, updatedAt }: SessionRecord, since: number) =>
    sessions.has(id) || state !== 'ended' || updatedAt >= since || seen.has(id);

  async function followPresences(): Promise<void> {
    for await (const all of presences.watch({ signal })) {
      seen = new Map(all.map(({ session, presence }) => [session, presence]));
      for (const id of seen.keys()) {
        const session = sessions.get(id) ?? (await store.session(id).catch(() => undefined));
        if (session) sessions.set(id, session);
      }
      tell();
    }
  }

  async function readAgain(): Promise<void> {
    while (!signal.aborted) {
      await setTimeout(AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
      if (!signal.aborted) await readAll();
    }
  }

  // Listened first and looked then, so that no change falls in between.
  const changes = store.watch({ signal });
  const done = readAll().then(async () => {
    await Promise.all([followStore(changes), followPresences(), readAgain()]);
  });
  return { done, listedAs };
}
