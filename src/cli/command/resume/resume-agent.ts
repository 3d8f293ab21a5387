/** `glassbox resume`: finds the session that is meant, then runs its agent as `glassbox run` does. */
import { GlassboxError } from '../../../event/index.js';
import type { SessionRecord, Store } from '../../../store/index.js';
import type { Context } from '../../context.js';
import { continuation, describeSession } from '../../kept/continuation.js';
import { inOwnWorktree } from '../../kept/in-worktree.js';
import { latestHere } from '../../kept/named-session.js';
import { withStore } from '../../kept/with-store.js';
import { startAgent } from '../run/run-agent.js';
import type { ResumeFlags } from './command.js';

export async function resumeAgent(this: Context, flags: ResumeFlags, ...words: string[]): Promise<void> {
  const { process } = this;
  const { session, said } = await withStore(flags, (store) => findMeant(store, words, process.cwd()));
  const request = { ...(await continuation(session)), ...(flags.fork && { fork: true }) };
  const remark = `${flags.fork ? 'going on in a copy of' : 'continuing'} ${describeSession(session)}`;
  const cwd = flags.cwd ?? session.cwd;
  const terms = session.runs.at(-1)?.terms;
  const wanted = cwd === undefined ? flags : { ...flags, cwd };
  // In one piece: only what was typed can be misunderstood.
  const prompt = said.length > 1 ? [said.join(' ')] : said;
  await inOwnWorktree(flags, cwd, process, () =>
    startAgent.call(this, wanted, [session.agent, ...prompt], { request, terms, remark }),
  );
}

/**
 * The first word is an id, or the beginning of one, if a session has it; and if it looks like one with more words behind it,
 * there must be such a session: money spent on another one cannot be had back. Without an id it is the latest session here.
 */
export async function findMeant(
  store: Store,
  words: readonly string[],
  cwd: string,
): Promise<{ session: SessionRecord; said: string[] }> {
  const [first = '', ...rest] = words;
  const named = /^\S+$/.test(first) ? await store.session(first) : undefined;
  if (named) return { session: named, said: rest };
  if (isMeantAsId(first, rest)) {
    throw new GlassboxError(
      'not-found',
      `There is no session ${first}. See glassbox sessions; to say it to the latest session here, put everything in quotes.`,
    );
  }
  return { session: await latestHere(store, cwd, isResumable), said: [...words] };
}

/** Words that were typed one by one hold no blank: who quotes the rest did not mean the first word to be a part of it. */
function isMeantAsId(first: string, rest: readonly string[]): boolean {
  if (/\s/.test(first) || first === '') return false;
  return LONG_ID.test(first) || (rest.length > 0 && (LIKE_AN_ID.test(first) || rest.some((word) => /\s/.test(word))));
}

/** Our ids have no vowels, so hardly a word looks like one; a mistyped one still has its digits. Agents' own ids are UUIDs. */
const LIKE_AN_ID = /^([23456789bcdfghjkmnpqrstvwxz]+|[a-z]*\d[a-z\d]*)$/i;
const LONG_ID = /^([23456789bcdfghjkmnpqrstvwxz]{4,}|[0-9a-f]{8}-[0-9a-f-]{27})$/i;

const isResumable = ({ agentSessionId }: SessionRecord): boolean => agentSessionId !== undefined;
