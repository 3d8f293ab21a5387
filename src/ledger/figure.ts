/** Amounts of money: a sum is only as sure as its weakest part. */
import type { Cost, CostOrigin } from '../event/index.js';

/** An amount with how far it reaches and how it came to be known. What is unknown has no figure, it is never zero. */
export type Figure = Readonly<Pick<Cost, 'usd' | 'scope' | 'origin'>>;

/** The surest first. */
export const ORIGINS: readonly CostOrigin[] = ['reported', 'computed', 'lower-bound'];

export function isFigure(cost: Figure | undefined): cost is Figure {
  return typeof cost?.usd === 'number' && Number.isFinite(cost.usd) && cost.usd >= 0;
}

/** Adds up; a part that is unknown makes the rest a lower bound. */
export function sumFigures(
  parts: readonly (Figure | undefined)[],
  scope: Figure['scope'] = 'session',
): Figure | undefined {
  const known = parts.filter((part) => part !== undefined);
  const sum = known.reduce<Figure | undefined>(plus, undefined);
  return sum && telling({ ...(known.length < parts.length ? atLeast(sum) : sum), scope });
}

/** Four decimals, more where that would be none, and a word where the agent did not report the figure itself. */
export function tellMoney({ usd, origin }: Pick<Figure, 'usd' | 'origin'>): string {
  const word = origin === 'lower-bound' ? 'at least ' : origin === 'computed' ? 'about ' : '';
  return Number.isFinite(usd) ? word + tellUsd(usd) : 'unknown';
}

export function tellUsd(usd: number): string {
  const isLittle = usd > 0 && Number(usd.toFixed(DECIMALS)) === 0;
  return `$${usd.toFixed(isLittle ? Math.min(100, Math.ceil(-Math.log10(usd))) : DECIMALS)}`;
}

const DECIMALS = 4;

/** "At least nothing" says nothing. */
export function telling(figure: Figure | undefined): Figure | undefined {
  return figure && (figure.usd > 0 || figure.origin !== 'lower-bound') ? figure : undefined;
}

export function plus(left: Figure | undefined, right: Figure): Figure {
  if (left === undefined) return right;
  return { usd: addUsd(left.usd, right.usd), scope: right.scope, origin: weakest(left.origin, right.origin) };
}

export function atLeast(figure: Figure): Figure {
  return { ...figure, origin: 'lower-bound' };
}

export function weakest(...origins: (CostOrigin | undefined)[]): CostOrigin {
  const weakness = origins.map((origin) => (origin === undefined ? 0 : ORIGINS.indexOf(origin)));
  return ORIGINS[Math.max(0, ...weakness)] ?? 'lower-bound';
}

/** Sums and differences of binary fractions leave dust behind, which would show as `$0.0011400000000000002`. A figure alone stays as it is. */
export function addUsd(left: number, right: number): number {
  return left === 0 || right === 0 ? left + right : Math.round((left + right) * 1e9) / 1e9;
}
