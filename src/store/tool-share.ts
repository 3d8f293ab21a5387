/** Estimates what tools cost: the price of a turn is split between its messages, and a message's part between the tools it called. */
import type { Usage } from '../event/index.js';
import { addUsage, USAGE_FIELDS } from './meter.js';

/** What the messages that called a tool cost; without a name: those that called none. */
export interface ToolShare {
  name: string;
  usage: Usage;
  usd?: number;
}

/** One message that was paid for and the tools it called. */
export interface PaidMessage {
  usage: Usage;
  tools: readonly string[];
}

/** Relative prices of tokens, about the same for all models: they only split a sum that is known. */
const WEIGHTS = { inputTokens: 1, outputTokens: 5, cacheReadTokens: 0.1, cacheWriteTokens: 1.25, thinkingTokens: 0 };

export function shareOut(messages: readonly PaidMessage[], usd: number | undefined): ToolShare[] {
  const shares = new Map<string, { usage: Usage; weight: number }>();
  let all = 0;
  for (const { usage, tools } of messages) {
    const part: Usage = {};
    let weight = 0;
    for (const field of USAGE_FIELDS) {
      if (usage[field] === undefined) continue;
      part[field] = usage[field] / tools.length;
      weight += part[field] * WEIGHTS[field];
    }
    for (const name of tools) {
      const share = shares.get(name) ?? { usage: {}, weight: 0 };
      shares.set(name, { usage: addUsage(share.usage, part), weight: share.weight + weight });
      all += weight;
    }
  }
  return [...shares].map(([name, { usage, weight }]) =>
    usd !== undefined && all > 0 ? { name, usage, usd: (usd * weight) / all } : { name, usage },
  );
}
