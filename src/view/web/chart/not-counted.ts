/** Which sessions are not in the sums, or only in part, and why, as far as their records tell. Pure. */
import type { SessionRecord } from '../../../client/index.js';
import { counted } from '../../../word/index.js';

export interface Uncounted {
  agent: string;
  text: string;
}

export function notCounted(sessions: readonly SessionRecord[]): Uncounted[] {
  const found = new Map<string, { agent: string; reason: Reason; count: number }>();
  for (const session of sessions) {
    const reason = reasonOf(session);
    if (reason === undefined) continue;
    const key = `${session.agent} ${reason}`;
    const same = found.get(key) ?? { agent: session.agent, reason, count: 0 };
    found.set(key, { ...same, count: same.count + 1 });
  }
  return [...found.values()]
    .sort((left, right) => right.count - left.count)
    .map(({ agent, reason, count }) => ({ agent, text: `${counted(count, 'session')}: ${WORDS[reason]}` }));
}

type Reason = 'going' | 'unbegun' | 'priceless' | 'silent' | 'partly';

const WORDS: Record<Reason, string> = {
  going: 'still under way, and nothing was told yet',
  unbegun: 'ended before a model was asked',
  priceless: 'only tokens were told, and no price of the model is known',
  silent: 'neither money nor tokens were told',
  partly: 'counted with at least what was told; a part is not known',
};

function reasonOf({ spent, usage, turns, toolCalls, state }: SessionRecord): Reason | undefined {
  if (spent) return spent.origin === 'lower-bound' ? 'partly' : undefined;
  if (Object.values(usage).some((value) => typeof value === 'number' && value > 0)) return 'priceless';
  if (state !== 'ended') return 'going';
  return turns === 0 && toolCalls === 0 ? 'unbegun' : 'silent';
}
