/** Adding and subtracting tokens: absent stays absent, never zero. */
import type { ModelUsage, Usage } from '../event/index.js';
import { addUsd } from './figure.js';

export const USAGE_FIELDS = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'thinkingTokens',
] as const satisfies readonly (keyof Usage)[];

/** The tokens of both. */
export function addUsage(left: Usage | undefined, right: Usage | undefined): Usage | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const sum = combine(left, right, (a = 0, b = 0) => a + b);
  return (left.lacks ?? right.lacks) ? { ...sum, lacks: 'sub-agents' } : sum;
}

/** What came since. Where a count became smaller the agent began to count anew. */
export function subtractUsage(whole: Usage, before: Usage): Usage {
  return isSmaller(whole, before) ? whole : combine(whole, before, (now, then = 0) => now && now - then);
}

/** Agents say zero where they do not know, as after a compaction or an abort: as good as nothing. */
export function isTelling(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && USAGE_FIELDS.some((field) => (usage[field] ?? 0) > 0);
}

/** All that was read, from the cache or not, and what was written to it: what people call input. */
export function inputTokens({ inputTokens: fresh = 0, cacheReadTokens = 0, cacheWriteTokens = 0 }: Usage): number {
  return fresh + cacheReadTokens + cacheWriteTokens;
}

/** What counts towards a budget of tokens: without cached reads, which cost little and are many. */
export function tokensSpent({ inputTokens: fresh = 0, outputTokens = 0, cacheWriteTokens = 0 }: Usage = {}): number {
  return fresh + outputTokens + cacheWriteTokens;
}

export function sumModels(models: readonly ModelUsage[]): Usage | undefined {
  return models.reduce<Usage | undefined>((sum, { model: _, usd: __, ...usage }) => addUsage(sum, usage), undefined);
}

export function addModels(left: readonly ModelUsage[], right: readonly ModelUsage[]): ModelUsage[] {
  const sums = new Map(left.map((usage) => [usage.model, usage]));
  for (const usage of right) {
    const before = sums.get(usage.model);
    sums.set(
      usage.model,
      before === undefined ? usage : withUsd(usage.model, addUsage(before, usage), add(before, usage)),
    );
  }
  return [...sums.values()];
}

export function subtractModels(whole: readonly ModelUsage[], before: readonly ModelUsage[]): ModelUsage[] {
  const find = (models: readonly ModelUsage[], name: string) => models.find(({ model }) => model === name);
  if (before.some((then) => isGone(find(whole, then.model), then))) return [...whole];
  const own = whole.map((now) => {
    const then: ModelUsage = find(before, now.model) ?? { model: now.model };
    const usd = now.usd === undefined ? undefined : Math.max(0, addUsd(now.usd, -(then.usd ?? 0)));
    return withUsd(now.model, subtractUsage(now, then), usd);
  });
  return own.filter((each) => Boolean(each.usd) || isTelling(each));
}

function withUsd(model: string, usage: Usage | undefined, usd: number | undefined): ModelUsage {
  return { model, ...usage, ...(usd !== undefined && { usd }) };
}

function add({ usd: left }: ModelUsage, { usd: right }: ModelUsage): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : addUsd(left, right);
}

function isGone(now: ModelUsage | undefined, then: ModelUsage): boolean {
  return now === undefined ? isTelling(then) : isSmaller(now, then);
}

function isSmaller(now: Usage, then: Usage): boolean {
  return USAGE_FIELDS.some((field) => now[field] !== undefined && now[field] < (then[field] ?? 0));
}

function combine(
  left: Usage,
  right: Usage,
  by: (left: number | undefined, right: number | undefined) => number | undefined,
): Usage {
  const result: Usage = {};
  for (const field of USAGE_FIELDS) {
    if (left[field] === undefined && right[field] === undefined) continue;
    const value = by(left[field], right[field]);
    if (value !== undefined) result[field] = value;
  }
  return result;
}
