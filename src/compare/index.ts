/** The door of the comparisons: the same task for several agents, and what became of it. */
export { type Baseline, baselineOf, isBaseline, type Judgement, judge } from './baseline.js';
export { type CompareOptions, compare, fingerprintOf, refsOfComparison } from './compare.js';
export type {
  Attempt,
  AttemptEnd,
  AttemptState,
  CheckResult,
  Comparison,
  ComparisonReport,
  Contestant,
  Standing,
  Verdict,
} from './comparison.js';
export { contestantsFrom } from './contestant.js';
export { findAttempt, findComparison, forgetComparison, readComparisons } from './record.js';
export { reportOf } from './standing.js';
