/**
 * What was saved of a comparison, and whether a later one of the same task is worse than chance explains: Fisher's exact test, one-sided,
 * of the attempts that passed. Attempts of which that is unknown are left out on both sides.
 */
import type { Comparison } from './comparison.js';
import { type Passes, passesOf } from './verdict.js';

export interface Baseline {
  schema: 1;
  /** Of the comparison. */
  fingerprint: string;
  task: string;
  check?: string;
  savedAt: number;
  contestants: (Passes & { label: string })[];
}

export function baselineOf(comparison: Comparison, savedAt: number): Baseline {
  const { fingerprint, task, check } = comparison;
  const contestants = [...resultsOf(comparison)].map(([label, passes]) => ({ label, ...passes }));
  return { schema: 1, fingerprint, task, ...(check !== undefined && { check }), savedAt, contestants };
}

/** At most so likely by chance is called a regression. */
const NOISE = 0.05;

/** `too-few`: with so few attempts nothing could be told from chance. `new`: it is not in the baseline. */
export interface Judgement {
  label: string;
  before?: Passes;
  now: Passes;
  /** How likely so few or fewer would pass if nothing had become worse. */
  likely?: number;
  what: 'worse' | 'not-worse' | 'too-few' | 'new';
}

export function judge(baseline: Baseline, comparison: Comparison): Judgement[] {
  return [...resultsOf(comparison)].map(([label, now]): Judgement => {
    const before = baseline.contestants.find((one) => one.label === label);
    if (!before) return { label, now, what: 'new' };
    const { passed, known, unknown } = before;
    const facts = { label, now, before: { passed, known, unknown } };
    // Even if none of them had passed.
    if (likelihood(before, { ...now, passed: 0 }) > NOISE) return { ...facts, what: 'too-few' };
    const likely = likelihood(before, now);
    return { ...facts, likely, what: likely <= NOISE ? 'worse' : 'not-worse' };
  });
}

export function isBaseline(value: unknown): value is Baseline {
  if (typeof value !== 'object' || value === null) return false;
  const { schema, fingerprint, contestants } = value as Partial<Record<keyof Baseline, unknown>>;
  return schema === 1 && typeof fingerprint === 'string' && Array.isArray(contestants) && contestants.every(isResult);
}

function isResult(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { label, passed, known } = value as Record<string, unknown>;
  return typeof label === 'string' && [passed, known].every((count) => Number.isInteger(count) && Number(count) >= 0);
}

function resultsOf({ attempts }: Comparison): Map<string, Passes> {
  const labels = new Set(attempts.map(({ label }) => label));
  return new Map([...labels].map((label) => [label, passesOf(attempts.filter((attempt) => attempt.label === label))]));
}

/** The chance of `now.passed` or fewer, when all passes are dealt out among all attempts at random. Whole numbers until the end. */
export function likelihood(before: Passes, now: Passes): number {
  const passed = before.passed + now.passed;
  const failed = before.known + now.known - passed;
  let ways = 0n;
  for (let k = 0; k <= now.passed; k += 1) ways += choose(passed, k) * choose(failed, now.known - k);
  const all = choose(passed + failed, now.known);
  return all === 0n ? 1 : Number((ways * 1_000_000_000_000n) / all) / 1e12;
}

function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let ways = 1n;
  for (let at = 1; at <= k; at += 1) ways = (ways * BigInt(n - k + at)) / BigInt(at);
  return ways;
}
