/** What the sessions of this machine do now: those that are kept, with what their runs tell, and those that nobody told glassbox of. */
import { homedir } from 'node:os';
import { TRACES } from '../../agent/trace.js';
import { defined } from '../../event/index.js';
import { createKeptEvidence, createObserver, type Known, type Seen } from '../../observer/index.js';
import { isLive, judge } from '../../presence/index.js';
import { openForeign } from '../../store/foreign.js';
import type { SessionRecord } from '../../store/index.js';
import type { StoreReader } from '../../store/store.js';

import { parkedSource } from './parked-source.js';

/** A session with what it does: kept, or only seen. */
export interface SessionNow {
  session?: SessionRecord;
  seen: Omit<Seen, 'sessionId'> & { sessionId?: string };
}

export interface SessionsNowOptions {
  store: StoreReader;
  env: NodeJS.ProcessEnv;
  /** Those that are asked for. */
  sessions: readonly SessionRecord[];
  /** An agent's own id, whole: a session that is not kept is found by it on disk. */
  named?: string;
  thorough?: boolean;
}

/** Those that are asked for in their order, then all others that something lives for. */
export async function sessionsNow({
  store,
  env,
  sessions,
  named,
  thorough = false,
}: SessionsNowOptions): Promise<SessionNow[]> {
  const observer = createObserver({ agents: TRACES, env, home: homedir(), openDatabase: openForeign });
  const evidenceOf = createKeptEvidence(store, parkedSource(store));
  const known = await Promise.all(sessions.map(async (session) => ({ session, evidence: await evidenceOf(session) })));
  const also = known.flatMap(({ session, evidence }): Known[] => {
    const { agent, agentSessionId, cwd, updatedAt: changedAt } = session;
    return agentSessionId === undefined ? [] : [{ agent, sessionId: agentSessionId, cwd, changedAt, evidence }];
  });
  if (named !== undefined && also.length === 0)
    also.push(...TRACES.map(({ name }) => ({ agent: name, sessionId: named })));
  const seen = await observer.look({ also, thorough });
  const asked = known.map(({ session, evidence }): SessionNow => {
    const found = seen.find((one) => one.agent === session.agent && one.sessionId === session.agentSessionId);
    // Without a name of the agent's own, nothing but the run speaks of it.
    return { session, seen: found ?? defined({ agent: session.agent, cwd: session.cwd, presence: judge(evidence) }) };
  });
  const isMeant = ({ sessionId, presence: { because, against } }: Seen) =>
    sessionId === named && because.length + against.length > 0;
  const others = seen.filter(
    (one) => (isLive(one.presence) || isMeant(one)) && !asked.some((other) => other.seen === one),
  );
  const kept = await Promise.all(others.map(({ sessionId }) => store.session(sessionId).catch(() => undefined)));
  return [...asked, ...others.map((one, index): SessionNow => defined({ seen: one, session: kept[index] }))];
}
