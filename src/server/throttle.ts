/**
 * When viewers are served: all that have something new at once, and then not again before as much time as it took. With few of
 * them that is faster than a screen draws; with thousands, what happened meanwhile goes out in one piece each.
 */
export type Throttle = () => Promise<void>;

const SHORTEST_MS = 16;
/** However busy the machine is: longer would be felt. */
const LONGEST_MS = 100;

export function createThrottle(now: () => number = () => performance.now()): Throttle {
  let next: Promise<void> | undefined;
  let tookMs = 0;

  return () => {
    next ??= new Promise((resolve) =>
      setTimeout(() => serve(resolve), Math.min(LONGEST_MS, Math.max(SHORTEST_MS, tookMs))),
    );
    return next;
  };

  function serve(go: () => void): void {
    const start = now();
    next = undefined;
    go();
    // The viewers have written when everything that follows from `go` is done.
    setImmediate(() => {
      tookMs = now() - start;
    });
  }
}
