/** Money: figures of turns and readings of a counter become what was spent. */
import type { Cost } from '../event/index.js';
import { addUsd, atLeast, type Figure, plus, weakest } from './figure.js';
import type { Count, Ledger } from './ledger.js';

const ZERO: Figure = { usd: 0, scope: 'process', origin: 'reported' };

/** Readings that differ by less are the same. */
const DUST = 1e-9;

/** The ledger after a turn's figure, and what that adds to what was spent; without a figure, that one is missing. */
export function enterFigure(ledger: Ledger, cost: Cost | undefined): { ledger: Ledger; charge?: Figure } {
  const { count } = ledger;
  if (cost === undefined) return { ledger: { ...ledger, count: { ...count, unpriced: true } } };
  const { usd, scope, origin } = cost;
  if (scope === 'turn') {
    const charge: Figure = { usd, scope, origin };
    return { ledger: { ...ledger, count: { ...count, spent: plus(count.spent, charge) } }, charge };
  }
  const { reading } = count;
  const isSame = reading?.scope === scope;
  // A smaller total than before: the agent began to count anew, as after clearing a conversation.
  if (isSame && usd < reading.usd - DUST)
    return enterFigure(closeCount(ledger, { isAnew: true, models: count.models, usage: count.usage }), cost);
  const before = count.spent?.usd ?? 0;
  const start = (isSame ? count.start : undefined) ?? startOf(ledger, cost, before);
  // What an agent once failed to count is missing in its later readings too.
  const newest: Figure = { usd, scope, origin: weakest(origin, reading?.origin) };
  const spent: Figure = {
    usd: Math.max(before, addUsd(usd, -start.usd)),
    scope,
    origin: weakest(newest.origin, start.origin),
  };
  const charge: Figure = {
    usd: addUsd(spent.usd, -before),
    scope,
    // From one reading to the next the difference is exact, whatever came before them.
    origin: isSame ? origin : weakest(origin, start.origin),
  };
  return { ledger: { ...ledger, count: { ...count, spent, start, reading: newest, unpriced: false } }, charge };
}

/** What was spent so far is kept, and no later reading contains it: the agent's counters are `next` now. */
export function closeCount(ledger: Ledger, next: Count): Ledger {
  const { spent, unpriced } = ledger.count;
  const part = unpriced ? atLeast(spent ?? ZERO) : spent;
  return { ...ledger, ...(part && { closed: plus(ledger.closed, part) }), count: next };
}

/** What the counter stood at when the count began; `spent` is what figures of turns have told since then. */
function startOf({ balance, count }: Ledger, { usd, scope, origin, turnUsd }: Cost, spent: number): Figure {
  if (scope === 'process' || count.isAnew) return ZERO;
  if (turnUsd !== undefined) return { usd: usd - Math.max(turnUsd, spent), scope, origin };
  if (balance === undefined) return ZERO;
  if (balance.cost === undefined) return { usd: usd - spent, scope, origin: 'lower-bound' };
  return balance.cost.usd > usd + DUST ? ZERO : balance.cost;
}
