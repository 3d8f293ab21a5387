/**
 * What the kept sessions do now, for whoever shows them: the runs of glassbox by what they told, all others by what is seen of them. Nothing is
 * looked for while nobody looks.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Evidence, isLive, judge, type Presence, type SessionPresence } from '../presence/index.js';
import type { SessionRecord, Store } from '../store/index.js';
import { createKeptEvidence, type ParkedSource } from './kept-evidence.js';
import type { Observer } from './observer.js';
import { type Known, keyOf, type Seen } from './session.js';

export interface SessionPresences {
  /** What one session does now, with everything that can be found about it. */
  of(session: SessionRecord): Promise<Presence>;
  /** Of all that are not over, at once and whenever one of them changes. What is no longer in it has ended. */
  watch(options: { signal: AbortSignal }): AsyncGenerator<readonly SessionPresence[], void, undefined>;
}

export interface SessionPresencesOptions {
  store: Pick<Store, 'list' | 'session' | 'watch' | 'read' | 'approvals'>;
  /** Without it only the runs of glassbox tell. */
  observer?: Observer | undefined;
  /** Who knows which sessions a limit stopped. */
  parked?: ParkedSource | undefined;
}

/** A session that is kept and not over, with what its runs tell. */
interface Kept {
  session: SessionRecord;
  evidence: Evidence[];
}

export function createSessionPresences({ store, observer, parked }: SessionPresencesOptions): SessionPresences {
  const viewers = new Set<() => void>();
  let following = new AbortController();
  let latest: readonly SessionPresence[] | undefined;

  function publish(presences: readonly SessionPresence[], signal: AbortSignal): void {
    if (signal.aborted || (latest && JSON.stringify(latest) === JSON.stringify(presences))) return;
    latest = presences;
    for (const tell of viewers) tell();
  }

  /** For all who look, together; ends with the last of them. */
  async function follow(signal: AbortSignal): Promise<void> {
    const evidenceOf = createKeptEvidence(store, parked);
    const kept = new Map<string, Kept>();
    /** Agents' own names of sessions → ours. */
    const ids = new Map<string, string>();

    async function learn(session: SessionRecord): Promise<void> {
      const known = knownAs(session, []);
      if (known) ids.set(keyOf(known), session.id);
      for (const [id, other] of kept) if (id !== session.id && isPartOf(other.session, session)) kept.delete(id);
      const evidence = await evidenceOf(session);
      if (session.state === 'ended' && !evidence.some(({ says }) => says === 'parked')) kept.delete(session.id);
      else kept.set(session.id, { session, evidence });
    }

    /** Who says now, later or never says it to no store. */
    async function learnParked(): Promise<void> {
      const ended = [...kept.values()]
        .filter(({ session }) => session.state === 'ended')
        .map(({ session }) => session.id);
      for (const id of new Set([...((await parked?.sessions()) ?? []), ...ended])) {
        const session = await store.session(id);
        if (session) await learn(session);
        else kept.delete(id);
      }
    }

    async function learnOn(changes: AsyncIterable<SessionRecord[]>, onNews: () => Promise<void>): Promise<void> {
      for await (const some of changes)
        await tellNews(async () => {
          for (const session of some) await learn(session);
        }, onNews);
    }

    async function tellNews(look: () => Promise<void>, onNews: () => Promise<void>): Promise<void> {
      const before = told(kept);
      await look();
      if (told(kept) !== before) await onNews();
    }

    async function lookAtParked(onNews: () => Promise<void>): Promise<void> {
      while (parked && !signal.aborted) {
        await sleep(PARKED_MS, undefined, { signal, ref: false }).catch(() => {});
        if (!signal.aborted) await tellNews(learnParked, onNews).catch(() => {});
      }
    }

    async function idOf(one: Seen): Promise<string | undefined> {
      if (one.isUnnamed) return undefined;
      const known = ids.get(keyOf(one));
      if (known !== undefined) return known;
      const session = await store.session(one.sessionId).catch(() => undefined);
      if (session?.agent !== one.agent) return undefined;
      ids.set(keyOf(one), session.id);
      return session.id;
    }

    async function nameAll(seen: readonly Seen[]): Promise<SessionPresence[]> {
      const found = new Map<string, Presence>();
      for (const one of seen) {
        const id = await idOf(one);
        if (id === undefined || !(isLive(one.presence) || kept.has(id))) continue;
        const other = found.get(id);
        if (!other || !isLive(other)) found.set(id, one.presence);
      }
      // Without a name of the agent's own, nothing but the run speaks of it.
      for (const [id, { evidence }] of kept) if (!found.has(id)) found.set(id, judge(evidence));
      return [...found].map(([session, presence]) => ({ session, presence }));
    }

    // Listened first and looked then, so that no change falls in between.
    const changes = store.watch({ signal });
    for (const state of ['waiting', 'running'] as const)
      for (const session of (await store.list({ state, limit: MOST })).items) await learn(session);
    await learnParked();
    if (!observer) {
      const onNews = async () => publish(await nameAll([]), signal);
      await onNews();
      void lookAtParked(onNews);
      await learnOn(changes, onNews);
      return;
    }
    const refresh = async () => observer.refresh();
    void lookAtParked(refresh);
    const learning = learnOn(changes, refresh);
    const also = () => [...kept.values()].flatMap(({ session, evidence }) => knownAs(session, evidence) ?? []);
    for await (const seen of observer.watch({ signal, also })) publish(await nameAll(seen), signal);
    await learning;
  }

  return {
    async of(session) {
      const evidence = await createKeptEvidence(store, parked)(session);
      const known = knownAs(session, evidence);
      if (!known || !observer) return judge(evidence);
      const seen = await observer.look({ also: [known], thorough: true });
      return seen.find((one) => keyOf(one) === keyOf(known))?.presence ?? judge(evidence);
    },
    async *watch({ signal }) {
      let isNew = latest !== undefined && viewers.size > 0;
      let wake = (): void => {};
      const tell = (): void => {
        isNew = true;
        wake();
      };
      signal.addEventListener('abort', tell);
      viewers.add(tell);
      if (viewers.size === 1) {
        following = new AbortController();
        // A store that fails is told by what reads the sessions themselves.
        follow(following.signal).catch(() => {});
      }
      try {
        while (!signal.aborted) {
          if (!isNew)
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          isNew = false;
          if (latest && !signal.aborted) yield latest;
        }
      } finally {
        signal.removeEventListener('abort', tell);
        viewers.delete(tell);
        if (viewers.size === 0) {
          following.abort();
          latest = undefined;
        }
      }
    },
  };
}

/** How soon it is seen that somebody let a parked session go on, or not. */
const PARKED_MS = 2000;

/** As many as are shown at once; more are hardly at work on one machine. */
const MOST = 100;

/** Undefined for one of which its agent has told no name so far. */
function knownAs({ agent, agentSessionId, cwd, updatedAt }: SessionRecord, evidence: Evidence[]): Known | undefined {
  if (agentSessionId === undefined) return undefined;
  return { agent, sessionId: agentSessionId, cwd, changedAt: updatedAt, evidence };
}

/** Its runs are another one's now, because the agent told that it goes on with that: nobody tells any more of what it was. */
function isPartOf({ runs }: SessionRecord, session: SessionRecord): boolean {
  return runs.some(({ runId }) => session.runs.some((one) => one.runId === runId));
}

function told(kept: ReadonlyMap<string, Kept>): string {
  return JSON.stringify([...kept].map(([id, { evidence }]) => [id, evidence]));
}
