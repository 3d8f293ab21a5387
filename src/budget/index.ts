/** The door of budgets over many runs. */
export type { Budget, Spending } from './budget.js';
export { type BudgetState, type BudgetVerdict, judgeBudgets, periodStart, stateOf } from './judge.js';
