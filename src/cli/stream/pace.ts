/** The pauses that something had when it happened, when it is played back. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** Resolves when it is time for what came then, in ms from any beginning; rejects when the signal says so. Undefined: nobody knows when. */
  wait(time: number | undefined): Promise<void>;
  /** What comes next came after a while that nobody wants to sit through. */
  skip(): void;
}

/** Between things of which nobody knows when they came. */
const STEADY_MS = 50;
/** Instead of a while that is skipped. */
const SKIPPED_MS = 1000;

/** `speed`: 2 is twice as fast. */
export function createPace(speed: number, signal?: AbortSignal): Pace {
  const startedAt = performance.now();
  let offset: number | undefined;
  let due = 0;
  return {
    async wait(time) {
      if (time !== undefined) offset ??= time - due;
      // Never back in time: clocks are set, and lines of two processes overlap.
      due = Math.max(due, time === undefined || offset === undefined ? due + STEADY_MS : time - offset);
      const waitMs = startedAt + due / speed - performance.now();
      if (waitMs > 1) await sleep(waitMs, undefined, signal && { signal });
    },
    skip() {
      offset = undefined;
      due += SKIPPED_MS;
    },
  };
}
