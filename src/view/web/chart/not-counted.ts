/** Which sessions are not in the sums, or only in part, and why, as far as their records tell. Pure. */
import type { RunRecord, SessionRecord } from '../../../client/index.js';
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

type Reason = keyof typeof WORDS;

const WORDS = {
  going: 'still under way, and no price was told yet',
  goingOn: 'still under way; counted with at least what was told so far',
  unbegun: 'ended before a model was asked',
  killed: 'stopped or killed before a price was told',
  cutOff: 'stopped or killed in the midst of a turn; counted with at least what was told before',
  priceless: 'only tokens were told, and no price of the model is known',
  silent: 'neither money nor tokens were told',
  partly: 'counted with at least what was told; a part is not known',
};

function reasonOf({ spent, usage, turns, toolCalls, state, runs }: SessionRecord): Reason | undefined {
  if (spent && spent.origin !== 'lower-bound') return undefined;
  if (state !== 'ended') return spent ? 'goingOn' : 'going';
  if (turns === 0 && toolCalls === 0 && !isUsed(usage) && !spent) return 'unbegun';
  if (WITHOUT_LAST_WORDS.has(runs.findLast(isUnsure)?.outcome)) return spent ? 'cutOff' : 'killed';
  if (spent) return 'partly';
  return isUsed(usage) ? 'priceless' : 'silent';
}

/** Outcomes of a run whose agent could not say what it came to. */
const WITHOUT_LAST_WORDS = new Set<RunRecord['outcome']>([
  'cancelled',
  'timed-out',
  'stalled',
  'over-budget',
  'max-turns',
  'crashed',
  'interrupted',
]);

function isUnsure({ spent }: RunRecord): boolean {
  return spent === undefined || spent.origin === 'lower-bound';
}

function isUsed(usage: SessionRecord['usage']): boolean {
  return Object.values(usage).some((value) => typeof value === 'number' && value > 0);
}
