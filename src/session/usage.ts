/** Adding tokens up: absent stays absent, never zero. */
import type { ModelUsage, Usage } from '../event/index.js';

const FIELDS = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'thinkingTokens',
] as const satisfies readonly (keyof Usage)[];

export function addUsage(left: Usage | undefined, right: Usage | undefined): Usage | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const sum: Usage = {};
  for (const field of FIELDS) {
    if (left[field] !== undefined || right[field] !== undefined) sum[field] = (left[field] ?? 0) + (right[field] ?? 0);
  }
  return sum;
}

/** What came since: where a figure became smaller the agent began to count anew. */
export function subtractUsage(whole: Usage | undefined, before: Usage): Usage | undefined {
  if (whole === undefined) return undefined;
  const rest: Usage = {};
  for (const field of FIELDS) {
    const now = whole[field];
    if (now !== undefined) rest[field] = now >= (before[field] ?? 0) ? now - (before[field] ?? 0) : now;
  }
  return rest;
}

/** A result after a compaction or an abort says zero although tokens were used (LL-17): as good as nothing. */
export function isTelling(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && FIELDS.some((field) => (usage[field] ?? 0) > 0);
}

/** Adds up per model, for agents that tell each turn's alone. */
export function addModels(left: readonly ModelUsage[], right: readonly ModelUsage[]): ModelUsage[] {
  const sums = new Map(left.map((usage) => [usage.model, usage]));
  for (const usage of right) {
    const before = sums.get(usage.model);
    const usd =
      before?.usd === undefined && usage.usd === undefined ? undefined : (before?.usd ?? 0) + (usage.usd ?? 0);
    sums.set(usage.model, { ...addUsage(before, usage), model: usage.model, usd });
  }
  return [...sums.values()];
}
