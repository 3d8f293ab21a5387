/** A budget over all attempts: each gets an equal share of what nobody has, and what it leaves goes to those that begin later. */
import type { Completion } from '../event/index.js';

export interface Purse {
  /** For the next attempt; 0 when nothing is left, undefined without a budget. */
  take(): number | undefined;
  /** What became of a share. A cost that is not known, or only in part, is taken for the whole share. */
  giveBack(share: number | undefined, cost: Completion['cost']): void;
}

export function createPurse(budgetUsd: number | undefined, attempts: number): Purse {
  let left = budgetUsd ?? 0;
  let waiting = attempts;
  return {
    take() {
      if (budgetUsd === undefined) return undefined;
      const share = Math.max(0, left / Math.max(1, waiting));
      waiting -= 1;
      left -= share;
      return share;
    },
    giveBack(share, cost) {
      if (share === undefined) return;
      const spent = !cost || cost.origin === 'lower-bound' ? Math.max(share, cost?.usd ?? 0) : cost.usd;
      left += share - spent;
    },
  };
}
