/** Computes what tokens cost at published rates, for agents that report usage but no money. */
import type { Cost, Usage } from '../event/index.js';

/** US dollars per million tokens. */
export interface Rates {
  input: number;
  cacheRead: number;
  cacheWrite: number;
  output: number;
}

/** Absent when the agent told no tokens at all: unknown is never zero. */
export function computeCost(
  usage: Usage | undefined,
  rates: Rates | undefined,
  scope: Cost['scope'],
): Cost | undefined {
  if (!usage || !rates || (usage.inputTokens === undefined && usage.outputTokens === undefined)) return undefined;
  const millionths =
    (usage.inputTokens ?? 0) * rates.input +
    (usage.cacheReadTokens ?? 0) * rates.cacheRead +
    (usage.cacheWriteTokens ?? 0) * rates.cacheWrite +
    (usage.outputTokens ?? 0) * rates.output;
  return { usd: millionths / 1e6, scope, origin: 'computed' };
}
