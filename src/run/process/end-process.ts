/** Ends a process by its agent's own ladder, gentlest first, then SIGKILL. Every step is told, so that a completion can explain itself. */
import type { EndingLadder } from '../../agent/index.js';

export interface EndingActions {
  /** The agent's own interrupt; false when it has none. */
  interrupt(): boolean;
  /** Settles when the turn that is interrupted has ended. */
  quiet(): Promise<void>;
  closeInput(): void;
  /** To the process and its group. */
  signal(signal: NodeJS.Signals): void;
  readonly exited: Promise<void>;
}

/** Goes on until the process has exited; gives back what was done, in words. */
export async function endProcess(ladder: EndingLadder, actions: EndingActions): Promise<string[]> {
  const done: string[] = [];
  for (const rung of ladder) {
    let over: Promise<void> = actions.exited;
    if (rung.do === 'interrupt') {
      const quiet = actions.quiet();
      if (!actions.interrupt()) continue;
      over = Promise.race([actions.exited, quiet]);
      done.push('interrupted');
    } else if (rung.do === 'close-stdin') {
      actions.closeInput();
      done.push('closed its input');
    } else {
      actions.signal(rung.signal);
      done.push(`sent ${rung.signal}`);
    }
    await settlesWithin(over, rung.waitMs);
    if (await settlesWithin(actions.exited, 0)) return done;
  }
  actions.signal('SIGKILL');
  done.push('sent SIGKILL');
  await settlesWithin(actions.exited, KILL_WAIT_MS);
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
