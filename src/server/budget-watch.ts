/** Budgets as they stand, for work that is posted, claimed and going on. Looked up no more often than once in a moment, whoever asks. */
import { type BudgetState, type BudgetVerdict, judgeBudgets, periodStart, stateOf } from '../budget/index.js';
import type { BudgetTable } from '../store/index.js';

export interface BudgetWatch {
  states(): Promise<BudgetState[]>;
  verdict(work: { project: string | undefined; principal: string }): Promise<BudgetVerdict>;
  /** What was known is out of date. */
  forget(): void;
}

const FRESH_MS = 1000;

export function createBudgetWatch(budgets: BudgetTable, now: () => number = () => performance.now()): BudgetWatch {
  let known: { states: Promise<BudgetState[]>; at: number } | undefined;

  const look = async (): Promise<BudgetState[]> => {
    const all = await budgets.list();
    if (all.length === 0) return [];
    const at = await budgets.now();
    return Promise.all(
      all.map(async (budget) => stateOf(budget, await budgets.spent(budget, periodStart(budget.period, at)), at)),
    );
  };
  const states = (): Promise<BudgetState[]> => {
    if (!known || now() - known.at > FRESH_MS) {
      known = { states: look(), at: now() };
      known.states.catch(() => {
        known = undefined;
      });
    }
    return known.states;
  };
  return {
    states,
    verdict: async (work) => judgeBudgets(await states(), work),
    forget() {
      known = undefined;
    },
  };
}
