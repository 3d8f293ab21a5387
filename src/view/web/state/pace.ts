/** How often a growing session may be drawn: the longer it is, the more its rows cost, and the more rarely they are made. */

/** At least so many times longer than the work is the pause after it, so that reading and scrolling always come first. */
const REST = 4;
const LONGEST_PAUSE_MS = 250;

let lastCostMs = 0;

/** Does the work and remembers what it cost. */
export function paced<T>(work: () => T): T {
  const startedAt = performance.now();
  const result = work();
  lastCostMs = performance.now() - startedAt;
  return result;
}

export function pauseMs(): number {
  return Math.min(LONGEST_PAUSE_MS, lastCostMs * REST);
}
