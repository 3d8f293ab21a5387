/**
 * Estimates what tools cost: what a turn is charged with is split between its messages, and a message's part between the tools it
 * called. The shares of a turn add up to its charge, in money and in every kind of token.
 */
import type { AgentEvent, Usage } from '../event/index.js';
import type { Entry } from './ledger.js';
import { type Field, priceOf } from './token-price.js';
import { addUsage, USAGE_FIELDS } from './usage.js';

/** What the messages that called a tool cost; without a name: those that called none. */
export interface ToolShare {
  name: string;
  usage: Usage;
  usd?: number;
}

export interface Shares {
  see(event: AgentEvent): void;
  /** Splits the charge of a turn; the next begins anew. */
  take(entry: Entry): ToolShare[];
}

export function createShares(): Shares {
  const toolsOf = new Map<string, string[]>();
  let parts = new Map<string, Usage>();

  return {
    see(event) {
      if (event.type === 'tool-start' && event.messageId) {
        toolsOf.set(event.messageId, [...(toolsOf.get(event.messageId) ?? []), event.name]);
      } else if (event.type === 'message-end') {
        const tools = toolsOf.get(event.messageId) ?? [''];
        toolsOf.delete(event.messageId);
        const part = scale(event.usage ?? {}, () => 1 / tools.length);
        for (const name of tools) parts.set(name, addUsage(parts.get(name), part) ?? part);
      }
    },
    take({ usage = {}, cost }) {
      const tools: [string, Usage][] = parts.size > 0 ? [...parts] : [['', {}]];
      parts = new Map();
      const whole = tools.reduce<Usage>((sum, [, part]) => addUsage(sum, part) ?? {}, {});
      const shares = tools.map(([name, part], index): ToolShare => {
        return { name, usage: scale(usage, (field) => portion(index, part[field], whole[field])) };
      });
      const prices = shares.map((share) => priceOf(share.usage));
      const all = prices.reduce((sum, price) => sum + price, 0);
      return cost
        ? shares.map((share, index) => ({ ...share, usd: cost.usd * portion(index, prices[index], all) }))
        : shares;
    },
  };
}

/** What nobody told a part of goes to the first. */
function portion(index: number, part = 0, whole = 0): number {
  return whole > 0 ? part / whole : Number(index === 0);
}

function scale(usage: Usage, by: (field: Field) => number): Usage {
  const told = USAGE_FIELDS.filter((field) => usage[field] !== undefined);
  return Object.fromEntries(told.map((field) => [field, (usage[field] ?? 0) * by(field)]));
}
