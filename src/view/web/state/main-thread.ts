/** How often and how long the page works at a time, so that reading and scrolling always come first. */

/** At least so many times longer than the drawing is the pause after it. */
const REST = 4;
const LONGEST_PAUSE_MS = 250;

let lastCostMs = 0;

/** Does the work of drawing a growing session and remembers what it cost. */
export function timeDrawing<T>(work: () => T): T {
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
export function createYield(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      nextTask(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}

const channel = new MessageChannel();
const tasks: (() => void)[] = [];
channel.port1.onmessage = () => tasks.shift()?.();

/** After what the browser has to do meanwhile, but without the 4 ms that a timer waits for nothing. */
export function nextTask(task: () => void): void {
  tasks.push(task);
  channel.port2.postMessage(null);
}
