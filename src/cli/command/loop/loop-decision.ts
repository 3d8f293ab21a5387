/** What follows from one iteration of a loop: done, again, wait, or stop and why. Pure, so that every case is a row of a table. */
import type { Completion, ErrorCategory, EventOf } from '../../../event/index.js';
import { isComplete } from '../../../view/text/index.js';

export interface LoopGoal {
  until: string;
  match: 'exact' | 'suffix';
  max: number;
}

/** What all iterations have come to so far, this one included. */
export interface LoopSoFar {
  iterations: number;
  /** Failures in a row. */
  failures: number;
  /** Waits for the quota in a row. */
  waits: number;
}

export type LoopDecision =
  | { next: 'done' }
  | { next: 'again' }
  /** `until`: when the quota returns, in ms since the epoch, if it is known. */
  | { next: 'wait'; until?: number }
  | { next: 'stop'; why: string };

/** Failing three times in a row, or out of quota five times, will not change by trying. */
const MOST_FAILURES = 3;
const MOST_WAITS = 5;

/** Categories of errors that the same request meets again. */
const INCURABLE: readonly ErrorCategory[] = [
  'auth',
  'billing',
  'invalid-request',
  'model-not-found',
  'config',
  'context-limit',
];

export function decideLoop(
  completion: Completion,
  rateLimit: EventOf<'rate-limit'> | undefined,
  goal: LoopGoal,
  soFar: LoopSoFar,
): LoopDecision {
  const { reason, error, text = '' } = completion;
  if (
    reason === 'finished' &&
    isComplete(JSON.stringify({ type: 'result', result: text }), goal.until, { match: goal.match })
  ) {
    return { next: 'done' };
  }
  if (isOutOfQuota(completion, rateLimit)) {
    if (soFar.waits >= MOST_WAITS) return { next: 'stop', why: 'out of quota again and again' };
    return { next: 'wait', ...(rateLimit?.resetsAt !== undefined && { until: rateLimit.resetsAt }) };
  }
  if (reason !== 'finished' && reason !== 'failed' && reason !== 'crashed') return { next: 'stop', why: reason };
  if (reason !== 'finished' && error && INCURABLE.includes(error.category)) return { next: 'stop', why: error.message };
  if (soFar.failures >= MOST_FAILURES) return { next: 'stop', why: `failed ${soFar.failures} times in a row` };
  if (soFar.iterations >= goal.max) return { next: 'stop', why: `the limit of ${goal.max} iterations was reached` };
  return { next: 'again' };
}

function isOutOfQuota({ reason, error }: Completion, rateLimit: EventOf<'rate-limit'> | undefined): boolean {
  if (reason === 'finished') return false;
  return error?.category === 'rate-limit' || error?.category === 'overloaded' || rateLimit?.state === 'rejected';
}
