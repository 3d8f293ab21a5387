/**
 * What a budget over many runs means for work that is to begin and for work that goes on. Pure: what was spent is told, and nothing is
 * guessed. Runs of which nobody knows what they cost are never taken for free: they are counted, and shown or refused by choice.
 */
import type { Budget, Spending } from './budget.js';

export interface BudgetState extends Budget {
  spent: Spending;
  /** When the period began, ms since the epoch. */
  since: number;
  /** `warned` from 80 % on; `spent` from 100 % on, or when it refuses work of unknown cost and there was some. */
  state: 'open' | 'warned' | 'spent';
}

export interface BudgetVerdict {
  /** Why new work must wait; absent when it may begin. */
  parked?: string;
  /** What is left under the tightest budget; absent when there is none. */
  leftUsd?: number;
  /** Work that goes on must be ended. */
  ends: boolean;
}

const WARNED_SHARE = 0.8;

/** Of UTC: hubs in different places must mean the same. */
export function periodStart(period: Budget['period'], now: number): number {
  const days = Math.floor(now / DAY_MS);
  return (period === 'day' ? days : days - dayOfMonth(days) + 1) * DAY_MS;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Of a day, counted from 1970: years that begin in March have their leap day last, and months of 30.6 days. */
function dayOfMonth(days: number): number {
  const fromMarch = days + 719_468;
  const day = fromMarch - Math.floor(fromMarch / 146_097) * 146_097;
  const leaps = Math.floor(day / 1460) - Math.floor(day / 36_524) + Math.floor(day / 146_096);
  const year = Math.floor((day - leaps) / 365);
  const dayOfYear = day - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  return dayOfYear - Math.floor((153 * Math.floor((5 * dayOfYear + 2) / 153) + 2) / 5) + 1;
}

export function stateOf(budget: Budget, spent: Spending, now: number): BudgetState {
  const share = spent.usd / budget.usd;
  const isSpent = share >= 1 || isRefusing(budget, spent);
  const state = isSpent ? 'spent' : share >= WARNED_SHARE ? 'warned' : 'open';
  return { ...budget, spent, since: periodStart(budget.period, now), state };
}

/** For work of this project and principal: every budget that is about it holds, and the tightest decides. */
export function judgeBudgets(
  states: readonly BudgetState[],
  work: { project: string | undefined; principal: string },
): BudgetVerdict {
  const about = states.filter(
    ({ project, principal }) =>
      (project === undefined || project === work.project) && (principal === undefined || principal === work.principal),
  );
  const spent = about.filter(({ state }) => state === 'spent');
  const [first] = spent;
  const left = about.map((budget) => Math.max(0, budget.usd - budget.spent.usd));
  return {
    ...(first && { parked: reasonOf(first) }),
    ...(left.length > 0 && { leftUsd: Math.min(...left) }),
    ends: spent.some((budget) => budget.running === 'end' && budget.spent.usd >= budget.usd),
  };
}

function isRefusing({ unknown }: Budget, { unknownRuns }: Spending): boolean {
  return unknown === 'refuse' && unknownRuns > 0;
}

/** For people: which budget, how much of it is gone, and until when. */
function reasonOf(budget: BudgetState): string {
  const { id, period, usd, spent, project, principal } = budget;
  const about = [project && `project ${project}`, principal].filter(Boolean).join(', ') || 'everything';
  const which = `The budget ${id} of this ${period} for ${about}`;
  if (spent.usd < usd) {
    const runs = spent.unknownRuns === 1 ? '1 run' : `${spent.unknownRuns} runs`;
    return `${which} refuses work of unknown cost, and of ${runs} it is not known what they cost.`;
  }
  return `${which} is spent: $${spent.usd.toFixed(2)} of $${usd.toFixed(2)}.`;
}
