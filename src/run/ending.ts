/** The way down: an agent's own ladder, gentlest first, then SIGKILL. Every step is told, so that a completion can explain itself. */
import type { EndingLadder } from '../agent/index.js';

export interface Rungs {
  /** The agent's own interrupt; false when it has none. */
  interrupt(): boolean;
  /** Settles when the turn that is interrupted has ended. */
  quiet(): Promise<void>;
  closeInput(): void;
  /** To the process and its group. */
  signal(signal: NodeJS.Signals): void;
  readonly exited: Promise<void>;
}

/** Climbs down until the process has exited; gives back what was done, in words. */
export async function climbDown(ladder: EndingLadder, rungs: Rungs): Promise<string[]> {
  const done: string[] = [];
  for (const rung of ladder) {
    let over: Promise<void> = rungs.exited;
    if (rung.do === 'interrupt') {
      const quiet = rungs.quiet();
      if (!rungs.interrupt()) continue;
      over = Promise.race([rungs.exited, quiet]);
      done.push('interrupted');
    } else if (rung.do === 'close-stdin') {
      rungs.closeInput();
      done.push('closed its input');
    } else {
      rungs.signal(rung.signal);
      done.push(`sent ${rung.signal}`);
    }
    await settlesWithin(over, rung.waitMs);
    if (await settlesWithin(rungs.exited, 0)) return done;
  }
  rungs.signal('SIGKILL');
  done.push('sent SIGKILL');
  await settlesWithin(rungs.exited, KILL_WAIT_MS);
  return done;
}

/** A process in uninterruptible sleep does not even hear SIGKILL; waiting longer would only hide it. */
const KILL_WAIT_MS = 5000;

/** Whether the promise settles in time; no timer is left behind. */
function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const settled = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}
