import type { Usage } from '../event/index.js';
import { USAGE_FIELDS } from './usage.js';

export type Field = (typeof USAGE_FIELDS)[number];

/** Relative prices of tokens, about the same for all models: they only split a sum that is known. */
const PRICES: Record<Field, number> = {
  inputTokens: 1,
  outputTokens: 5,
  cacheReadTokens: 0.1,
  cacheWriteTokens: 1.25,
  thinkingTokens: 0,
};

export function priceOf(usage: Usage): number {
  return USAGE_FIELDS.reduce((price, field) => price + (usage[field] ?? 0) * PRICES[field], 0);
}
