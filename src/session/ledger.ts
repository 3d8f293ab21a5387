/**
 * What one run spent, from figures that reach differently far (decision 9).
 *
 * A figure for a turn is added; cumulative ones are reduced by the one before, so that equal totals of two results and
 * sub-agents inside a total count once. What cannot be known stays unknown, it is never zero.
 */
import type { Cost, CostOrigin } from '../event/index.js';

/** An amount of money with how it came to be known. */
export interface Figure {
  readonly usd: number;
  readonly origin: CostOrigin;
}

export interface Ledger {
  /** What the run itself spent so far, as far as figures came; absent while none can be attributed to it. */
  readonly spent?: Figure;
  /** The newest cumulative figure and how far it reaches. */
  readonly total?: Cost;
  /** What the session had cost before this run: a number, `unknown` for a resumed run of which nobody knows, absent for a fresh one. */
  readonly baseline?: number | 'unknown';
  /** Turns that ended without a figure, not covered by a later cumulative one. */
  readonly unpriced: number;
  /** Sum of sub-agents' own figures, which the main turn's figure contains: used only when that never comes. */
  readonly subAgents?: Figure;
  /** Number of the turn that was priced last. */
  readonly pricedTurn?: number;
}

export interface Entry {
  cost: Cost;
  /** What the turn was charged with so far. */
  before?: Figure;
  /** The figure is a sub-agent's own. */
  nested: boolean;
}

/** Enters one figure: the ledger after it and what the turn is charged with now. */
export function enter(ledger: Ledger, { cost, before, nested }: Entry): { ledger: Ledger; charged?: Figure } {
  if (cost.scope === 'turn') {
    const charged = { usd: cost.usd, origin: cost.origin };
    if (nested) return { ledger: { ...ledger, subAgents: sum(ledger.subAgents, charged) }, charged };
    return { ledger: { ...ledger, spent: sum(ledger.spent, charged) }, charged };
  }
  const counted = { ...ledger, total: cost, unpriced: 0 };
  const from = ledger.total?.usd ?? startOf(ledger, cost);
  if (from === undefined) return { ledger: counted };
  // A smaller total than before: the agent began to count anew, as after clearing a conversation.
  const change = { usd: cost.usd >= from ? cost.usd - from : cost.usd, origin: cost.origin };
  const missesFirst = ledger.total !== undefined && ledger.spent === undefined;
  const spent = sum(ledger.spent, missesFirst ? atLeast(change) : change);
  return { ledger: { ...counted, spent }, charged: sum(before, change) };
}

/** From where the first cumulative figure of a run counts; nothing when nobody knows. */
function startOf({ baseline }: Ledger, cost: Cost): number | undefined {
  if (cost.scope === 'process') return 0;
  if (typeof baseline === 'number') return baseline;
  if (cost.turnUsd !== undefined) return cost.usd - cost.turnUsd;
  return baseline === undefined ? 0 : undefined;
}

/** Adds up; what is known of one part only is a lower bound of the whole. */
export function sumFigures(figures: readonly (Figure | undefined)[]): Figure | undefined {
  const known = figures.filter((figure) => figure !== undefined);
  const whole = known.reduce<Figure | undefined>(sum, undefined);
  return whole && known.length < figures.length ? atLeast(whole) : whole;
}

export function atLeast(figure: Figure): Figure {
  return { usd: figure.usd, origin: 'lower-bound' };
}

/** Of two figures for the same thing the one that is known better; of two lower bounds the higher one. */
export function stronger(left: Figure | undefined, right: Figure | undefined): Figure | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  if (left.origin !== right.origin) return weaker(left.origin, right.origin) === left.origin ? right : left;
  return left.origin === 'lower-bound' && right.usd > left.usd ? right : left;
}

function sum(left: Figure | undefined, right: Figure): Figure {
  if (left === undefined) return { usd: toNanoDollars(right.usd), origin: right.origin };
  return { usd: toNanoDollars(left.usd + right.usd), origin: weaker(left.origin, right.origin) };
}

const STRENGTH: readonly CostOrigin[] = ['lower-bound', 'computed', 'reported'];

function weaker(left: CostOrigin, right: CostOrigin): CostOrigin {
  return STRENGTH.indexOf(left) < STRENGTH.indexOf(right) ? left : right;
}

/** Differences of binary fractions leave dust behind, which would show as `$0.0011400000000000002`. */
function toNanoDollars(usd: number): number {
  return Math.round(usd * 1e9) / 1e9;
}

export function isFigure(cost: Figure | undefined): cost is Figure {
  return typeof cost?.usd === 'number' && Number.isFinite(cost.usd);
}
