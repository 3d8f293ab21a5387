/** Turns the running totals of agents into the share of one turn. A total that became smaller was started again by the agent. */
import type { Cost, ModelUsage, Usage } from '../event/index.js';

export const USAGE_FIELDS = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'thinkingTokens',
] as const;

/** The last figures of an agent with their reach, from which a resumed run goes on counting. */
export interface Reported {
  cost?: Cost;
  modelUsage?: ModelUsage[];
}

/** What came before a run: nothing, figures that are known, or figures that nobody kept. */
export type Baseline = 'none' | 'unknown' | Reported;

/** Each call gives what was added since the call before; undefined when it cannot be known. */
export interface Meter {
  usd(total: number): number | undefined;
  models(totals: ModelUsage[]): ModelUsage[] | undefined;
}

export function createMeter(baseline: Baseline): Meter {
  let lastUsd = baseline === 'none' ? 0 : baseline === 'unknown' ? undefined : baseline.cost?.usd;
  let lastModels = baseline === 'none' ? [] : baseline === 'unknown' ? undefined : baseline.modelUsage;
  return {
    usd(total) {
      const own = lastUsd === undefined ? undefined : step(total, lastUsd);
      lastUsd = total;
      return own;
    },
    models(totals) {
      const before = lastModels;
      lastModels = totals;
      return (
        before &&
        totals.map((total) =>
          subtract(
            total,
            before.find(({ model }) => model === total.model),
          ),
        )
      );
    },
  };
}

export function addUsage(a: Usage, b: Usage): Usage {
  const result: Usage = { ...a };
  for (const field of USAGE_FIELDS) {
    const value = b[field];
    if (value !== undefined) result[field] = (result[field] ?? 0) + value;
  }
  return result;
}

function subtract(total: ModelUsage, before: ModelUsage | undefined): ModelUsage {
  const own: ModelUsage = { model: total.model };
  for (const field of [...USAGE_FIELDS, 'usd'] as const) {
    const value = total[field];
    if (value !== undefined) own[field] = step(value, before?.[field] ?? 0);
  }
  return own;
}

function step(total: number, before: number): number {
  return total >= before ? total - before : total;
}
