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

const SLICE_MS = 8;

/**
 * For a loop over what may come faster than it can be handled: gives a promise to wait for when the page was kept busy long
 * enough. Promises alone never let it draw.
 */
export function createBreather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
