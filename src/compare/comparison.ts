/** What is known of a comparison: the same task, done by several agents, several times. */
import type { DifferenceSize } from '../checkpoint/index.js';
import type { Completion, Cost, Permission } from '../event/index.js';

/** An agent, and a model of it: `codex`, `opencode:some/model`. */
export interface Contestant {
  label: string;
  agent: string;
  model?: string;
}

/** `not-run`: nobody waited for it, or it could not be started. */
export interface CheckResult {
  outcome: 'passed' | 'failed' | 'timed-out' | 'not-run';
  exitCode?: number;
  durationMs: number;
  /** Its last words, redacted. */
  tail?: string;
}

/** `not-begun`: it never will, `why` says why. `cut-off`: the glassbox that ran it was killed. */
export type AttemptState = 'waiting' | 'running' | 'checking' | 'ended' | 'not-begun' | 'cut-off';

/** Did it: the agent finished and the check passed. What is not known, or says nothing of the agent, is `unknown`. */
export type Verdict = 'passed' | 'failed' | 'unknown';

/** What its run came to. */
export type AttemptEnd = Pick<
  Completion,
  'reason' | 'cost' | 'usage' | 'turns' | 'durationMs' | 'detail' | 'parked' | 'text'
> & { error?: NonNullable<Completion['error']>['category'] };

export interface Attempt extends Contestant {
  /** From 1, over all contestants; with the comparison's id it names the attempt: `x4kd2p/3`. */
  number: number;
  state: AttemptState;
  why?: string;
  runId?: string;
  /** The short id of its session. */
  session?: string;
  /** Its work tree; removed when nothing changed in it. */
  folder?: string;
  branch?: string;
  /** Commits: all files when it began, and when it had ended. */
  before?: string;
  after?: string;
  end?: AttemptEnd;
  /** Questions that it asked, and calls that were refused, also without a question. */
  asked: number;
  refused: number;
  check?: CheckResult;
  size?: DifferenceSize;
  verdict: Verdict;
}

export interface Comparison {
  schema: 1;
  id: string;
  /** Redacted. */
  task: string;
  /** Names the task and the check as they were said, so that two comparisons of the same are known. */
  fingerprint: string;
  /** The top of the user's own work tree. */
  project: string;
  /** The commit that all began with. */
  base: string;
  permission: Permission;
  check?: string;
  budgetUsd?: number;
  startedAt: number;
  /** Absent while it goes on, and when it was cut off. */
  endedAt?: number;
  attempts: Attempt[];
}

/** What the attempts of one contestant came to. */
export interface Standing {
  label: string;
  attempts: number;
  passed: number;
  /** Of which it is known whether they passed. */
  known: number;
  unknown: number;
  /** How likely at least one of k passes, and how likely all of them; absent with fewer than k that are known. */
  k: number;
  passAt1?: number;
  passAtK?: number;
  passAllK?: number;
  /** Of all together; absent is unknown. */
  cost?: Pick<Cost, 'usd' | 'scope' | 'origin'>;
  /** The median of those that ran. */
  durationMs?: number;
}

/** A comparison with what its contestants came to, as it is told. */
export interface ComparisonReport extends Comparison {
  standings: Standing[];
}
