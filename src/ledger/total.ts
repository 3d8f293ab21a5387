/** What a ledger comes to. */
import type { Balance, Cost, Usage } from '../event/index.js';
import { addUsd, type Figure, isFigure, plus, sumFigures } from './figure.js';
import type { Ledger } from './ledger.js';
import { tokensSoFar } from './tokens.js';
import { addModels, addUsage, sumModels } from './usage.js';

/** What the run itself cost, as far as it is known; a turn that is under way makes it a lower bound. Absent is unknown. */
export function costOf({ closed, count, open, missed }: Ledger): Figure | undefined {
  const ended = count.spent ? plus(closed, count.spent) : closed;
  const parts = [ended, ...open.map(({ running, nested }) => running ?? nested)].filter(isFigure);
  const isWhole = !count.unpriced && !missed && open.length === 0;
  return parts.length > 0 ? sumFigures(isWhole ? parts : [...parts, undefined], 'process') : undefined;
}

/** All its tokens so far, sub-agents and cache included. */
export function usageOf({ models, open, model }: Ledger): Usage | undefined {
  return open.reduce((sum, turn) => addUsage(sum, sumModels(tokensSoFar(turn, model))), sumModels(models));
}

/** Whether anything was spent, known or not. */
export function hasSpent({ closed, count, open, models }: Ledger): boolean {
  const isPriced = (closed ?? count.spent) !== undefined;
  return isPriced || count.unpriced === true || open.length > 0 || models.length > 0;
}

/** What a session cost: runs that spent nothing do not count, one of which nobody knows makes it a lower bound. */
export function sumLedgers(ledgers: readonly Ledger[]): Figure | undefined {
  return sumFigures(ledgers.filter(hasSpent).map(costOf));
}

/** Where the agent's counters stand: what a run that continues this one begins with. */
export function balanceOf(ledger: Ledger): Balance | undefined {
  const { count, balance, models } = ledger;
  if (!hasSpent(ledger)) return balance;
  const { reading, start, spent: since, usage, models: read } = count;
  if (reading?.scope === 'session' && start && since) {
    // Even where the agent counted too little, it goes on from there.
    const origin = since.origin === 'computed' ? 'computed' : 'reported';
    const cost: Cost = { usd: addUsd(start.usd, since.usd), scope: 'session', origin };
    return { cost, ...(read && { modelUsage: [...read] }), ...(usage && { usage }) };
  }
  const spent = costOf(ledger);
  if (!spent || spent.origin === 'lower-bound' || (balance && !balance.cost)) return {};
  const modelUsage = addModels(balance?.modelUsage ?? [], models);
  return { cost: plus(balance?.cost, { ...spent, scope: 'session' }), modelUsage };
}
