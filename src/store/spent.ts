/** Sums of money whose origin is the weakest of their parts: a sum with an unknown part is a lower bound, never a total. */
import type { CostOrigin } from '../event/index.js';
import type { Spent } from './record.js';

/** The weakest last. */
export const ORIGINS: readonly CostOrigin[] = ['reported', 'computed', 'lower-bound'];

/** A part without `usd`: something was spent and nobody said how much. */
export type SpentPart = Partial<Spent>;

export function sumSpent(parts: readonly SpentPart[]): Spent | undefined {
  const known = parts.filter((part) => part.usd !== undefined);
  if (known.length === 0) return undefined;
  const usd = known.reduce((sum, part) => sum + (part.usd ?? 0), 0);
  const weakness = parts.map((part) => (part.usd === undefined ? 2 : ORIGINS.indexOf(part.origin ?? 'lower-bound')));
  return { usd, origin: ORIGINS[Math.max(...weakness)] ?? 'lower-bound' };
}
