/** What the attempts of each contestant came to together. */
import { type Figure, sumFigures } from '../ledger/index.js';
import type { Attempt, Comparison, ComparisonReport, Standing } from './comparison.js';
import { passAll, passAt, passesOf } from './verdict.js';

export function reportOf(comparison: Comparison): ComparisonReport {
  const labels = [...new Set(comparison.attempts.map(({ label }) => label))];
  const standings = labels.map((label) =>
    standingOf(
      label,
      comparison.attempts.filter((attempt) => attempt.label === label),
    ),
  );
  return { ...comparison, standings };
}

function standingOf(label: string, attempts: readonly Attempt[]): Standing {
  const passes = passesOf(attempts);
  const k = attempts.length;
  const [one, any, all] = [passAt(1, passes), passAt(k, passes), passAll(k, passes)];
  const ran = attempts.flatMap(({ end }) => (end ? [end] : []));
  // What ended before its agent began spent nothing, and makes nothing uncertain.
  const spending = ran.filter(({ turns, cost, usage }) => turns > 0 || cost || usage);
  const cost: Figure | undefined = sumFigures(spending.map((end) => end.cost));
  const times = ran.map(({ durationMs }) => durationMs).sort((a, b) => a - b);
  const median = times.length === 0 ? undefined : middle(times);
  return {
    ...{ label, attempts: attempts.length, ...passes, k },
    ...(one !== undefined && { passAt1: one }),
    ...(any !== undefined && { passAtK: any }),
    ...(all !== undefined && { passAllK: all }),
    ...(cost && { cost }),
    ...(median !== undefined && { durationMs: median }),
  };
}

function middle(sorted: readonly number[]): number {
  const half = sorted.length >> 1;
  const [low = 0, high = 0] = [sorted[half - 1], sorted[half]];
  return sorted.length % 2 === 1 ? high : Math.round((low + high) / 2);
}
