/** Whether an attempt did it, and what may be said of several: unknown is neither a pass nor a failure. */
import type { ErrorCategory } from '../event/index.js';
import type { Attempt, Verdict } from './comparison.js';

/** They say something of the account, the machine or the net, and nothing of what the agent can do. */
const CIRCUMSTANCES: readonly ErrorCategory[] = [
  'auth',
  'billing',
  'rate-limit',
  'overloaded',
  'server',
  'network',
  'config',
  'model-not-found',
];

export function verdictOf({ state, end, check }: Pick<Attempt, 'state' | 'end' | 'check'>): Verdict {
  if (state !== 'ended' || !end || !check) return 'unknown';
  const { reason, error, parked } = end;
  if (reason === 'cancelled' || reason === 'spawn-failed' || parked) return 'unknown';
  if (reason !== 'finished') return error !== undefined && CIRCUMSTANCES.includes(error) ? 'unknown' : 'failed';
  if (check.outcome === 'not-run') return 'unknown';
  return check.outcome === 'passed' ? 'passed' : 'failed';
}

export interface Passes {
  passed: number;
  /** Of which it is known; the others are left out. */
  known: number;
  unknown: number;
}

export function passesOf(attempts: readonly Pick<Attempt, 'verdict'>[]): Passes {
  const count = (verdict: Verdict) => attempts.filter((attempt) => attempt.verdict === verdict).length;
  const passed = count('passed');
  return { passed, known: passed + count('failed'), unknown: count('unknown') };
}

/** pass@k: how likely at least one of k attempts passes, without bias (1 - C(n-c, k) / C(n, k)); undefined with fewer than k. */
export function passAt(k: number, { passed, known }: Passes): number | undefined {
  return k < 1 || known < k ? undefined : 1 - shareWithout(known, passed, k);
}

/** pass^k: how likely all of k attempts pass. */
export function passAll(k: number, { passed, known }: Passes): number | undefined {
  return k < 1 || known < k ? undefined : shareWithout(known, known - passed, k);
}

/** How likely k of n, drawn at once, have none of the c that are meant. */
function shareWithout(n: number, c: number, k: number): number {
  let share = 1;
  for (let drawn = 0; drawn < k; drawn += 1) share *= Math.max(0, n - c - drawn) / (n - drawn);
  return share;
}
