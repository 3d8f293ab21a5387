/** What a run spent, as columns of its row. */
import { balanceOf, costOf, hasSpent, type Ledger, usageOf } from '../../ledger/index.js';
import type { Summary } from '../summary.js';
import { type Row, usageValues, type Value } from './row.js';

/** Of the table of runs. `origin` without `usd`: something was spent, and nobody knows how much. */
export const FIGURE_COLUMNS = [
  'usd',
  'origin',
  'balance',
  'input',
  'output',
  'cache_read',
  'cache_write',
  'thinking',
  'lacks',
];

export function figureValues(ledger: Ledger): Value[] {
  const cost = costOf(ledger);
  const usage = usageOf(ledger) ?? {};
  const balance = balanceOf(ledger);
  return [
    cost?.usd ?? null,
    cost?.origin ?? (hasSpent(ledger) ? 'lower-bound' : null),
    balance ? JSON.stringify(balance) : null,
    ...usageValues(usage),
    usage.lacks ?? null,
  ];
}

/** The limits of the account as the agent told them last. */
export function limitValue({ limits }: Summary): string | null {
  return limits ? JSON.stringify(limits) : null;
}

/** What an agent left on disk, also while it is followed, may tell this very run again, and what came after it. */
export const isImported = ({ source_state: state, terms, piped }: Row): boolean =>
  (state !== null || terms === null) && piped === null;
