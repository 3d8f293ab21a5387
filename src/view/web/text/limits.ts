/** How far the account, and what a run may use, is used up, at a glance. */
import type { RunRecord } from '../../../client/index.js';
import type { LimitWindow, Usage } from '../../../event/index.js';
import { type Figure, tellMoney, tokensSpent } from '../../../ledger/index.js';
import { count, counted, duration } from '../../../word/index.js';

interface Spent {
  cost: Figure | undefined;
  usage: Usage | undefined;
}

/** `12 s of 10m0s · at least $0.0400 of $1.5 · at most 7 turns`: how far a run may go, and how far it has gone; `12 s in all` where that is not bounded. */
export function ownLimitsText({ terms, startedAt }: RunRecord, { cost, usage }: Spent, now: number): string {
  if (!terms) return '';
  const { timeoutMs, budgetUsd, budgetTokens, maxTurns } = terms.limits ?? {};
  const elapsed = Math.max(0, Math.floor((now - startedAt) / 1000) * 1000);
  return [
    `${duration(elapsed)} ${timeoutMs === undefined ? 'in all' : `of ${duration(timeoutMs)}`}`,
    budgetUsd !== undefined && (cost ? `${tellMoney(cost)} of $${budgetUsd}` : `at most $${budgetUsd}`),
    budgetTokens !== undefined && `${count(tokensSpent(usage))} of ${count(budgetTokens)} tokens`,
    maxTurns !== undefined && `at most ${counted(maxTurns, 'turn')}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** `limits: five hour 12 %, seven day 40 %`; a window that has ended since says nothing any more. */
export function limitsText(windows: readonly LimitWindow[], now: number): string {
  const known = windows.flatMap(({ name, utilization, resetsAt }) => {
    if (utilization === undefined || (resetsAt !== undefined && resetsAt <= now)) return [];
    return [`${name.replaceAll('_', ' ')} ${Math.round(utilization * 100)} %`];
  });
  return known.length === 0 ? '' : `limits: ${known.join(', ')}`;
}
