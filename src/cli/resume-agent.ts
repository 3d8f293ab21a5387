/** `glassbox resume`: finds the session that is meant, then runs its agent as `glassbox run` does. */
import { GlassboxError } from '../event/index.js';
import type { RunRequest } from '../run/index.js';
import type { SessionRecord, Store } from '../store/index.js';
import type { ResumeFlags } from './command/resume.js';
import type { Context } from './context.js';
import { latestHere, noSession } from './named-session.js';
import { startAgent } from './run-agent.js';
import { withStore } from './with-store.js';

export async function resumeAgent(this: Context, flags: ResumeFlags, ...words: string[]): Promise<void> {
  const { session, said } = await withStore(flags, (store) => findMeant(store, words, this.process.cwd()));
  const more = { ...continuation(session), ...(flags.fork && { fork: true }) };
  const cwd = flags.cwd ?? session.cwd;
  await startAgent.call(this, cwd === undefined ? flags : { ...flags, cwd }, [session.agent, ...said], more);
}

/** The first word may be an id; without one it is the latest session here. */
export async function findMeant(
  store: Store,
  words: readonly string[],
  cwd: string,
): Promise<{ session: SessionRecord; said: string[] }> {
  const [first = '', ...rest] = words;
  const named = /^\S{3,}$/.test(first) ? await store.session(first) : undefined;
  if (named) return { session: named, said: rest };
  if (LIKE_AN_ID.test(first)) throw noSession(first);
  return { session: await latestHere(store, cwd), said: [...words] };
}

/** Our ids have no vowels, so hardly a word looks like one; agents' own ids are UUIDs. */
const LIKE_AN_ID = /^([23456789bcdfghjkmnpqrstvwxz]{4,}|[0-9a-f]{8}-[0-9a-f-]{27})$/;

function continuation({ id, agentSessionId, state, runs, spent }: SessionRecord): Partial<RunRequest> {
  if (state !== 'ended') throw new GlassboxError('conflict', `The session ${id} is still running.`);
  if (agentSessionId === undefined) {
    throw new GlassboxError(
      'unsupported-capability',
      `The session ${id} ended before its agent said how to continue it.`,
    );
  }
  const reported = runs.at(-1)?.reported;
  const baselineUsd = reported?.scope === 'session' ? reported.usd : spent?.usd;
  return { resume: agentSessionId, ...(baselineUsd !== undefined && { baselineUsd }) };
}
