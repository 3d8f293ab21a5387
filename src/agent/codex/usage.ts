/** Adds up what a turn of the app-server used, over its threads: the main one and those of sub-agents. */
import { type Cost, defined, type ModelUsage, type Usage } from '../../event/index.js';
import { addUsage } from '../../ledger/index.js';
import { type Json, members, number } from '../field.js';
import { computeCost } from '../price.js';
import { ratesOf } from './price.js';
import { usageOf } from './wire.js';

export interface Spend {
  /** A `thread/tokenUsage/updated`; gives the turn's usage so far. */
  add(thread: string, model: string | undefined, tokenUsage: Json): Usage | undefined;
  /** What the turn came to; the next turn begins at nothing. */
  take(main: string | undefined): { usage?: Usage; cost?: Cost; modelUsage?: ModelUsage[] };
}

export function createSpend(): Spend {
  const byThread = new Map<string, { model: string | undefined; usage: Usage }>();
  /** Totals last seen by thread: a notice that repeats one is not another call. */
  const totals = new Map<string, number>();

  return {
    add(thread, model, tokenUsage) {
      const total = number(members(tokenUsage.total).totalTokens);
      const last = usageOf(tokenUsage.last);
      const before = byThread.get(thread);
      if (!last || (total !== undefined && totals.get(thread) === total)) return before?.usage;
      if (total !== undefined) totals.set(thread, total);
      const usage = addUsage(before?.usage, last) ?? last;
      byThread.set(thread, { model, usage });
      return usage;
    },
    take(main) {
      const usage = byThread.get(main ?? '')?.usage;
      const costs = [...byThread.values()].map((part) => computeCost(part.usage, ratesOf(part.model), 'turn'));
      const modelUsage = [...byThread.values()].flatMap((part, index) =>
        part.model === undefined
          ? []
          : [defined<ModelUsage>({ model: part.model, ...part.usage, usd: costs[index]?.usd })],
      );
      byThread.clear();
      return {
        ...(usage && { usage }),
        ...(modelUsage.length > 0 && { modelUsage }),
        ...costOf(costs),
      };
    },
  };
}

/** A part without a known price makes the rest a lower bound. */
function costOf(costs: readonly (Cost | undefined)[]): { cost?: Cost } {
  const known = costs.filter((cost) => cost !== undefined);
  if (known.length === 0) return {};
  const usd = known.reduce((total, cost) => total + cost.usd, 0);
  return { cost: { usd, scope: 'turn', origin: known.length === costs.length ? 'computed' : 'lower-bound' } };
}
