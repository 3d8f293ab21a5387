/** What keys do to a run: what is typed is said to it, Esc interrupts its turn, Ctrl-C ends it. */
import type { RunHandle } from '../../run/index.js';
import type { Stop } from '../stop.js';
import type { KeyUse } from './live-control.js';
import { projectFiles } from './project-files.js';

export interface KeysForOptions {
  stop: Pick<Stop, 'end'>;
  cwd: string;
  history: readonly string[];
}

export function keysFor(handle: RunHandle, { stop, cwd, history }: KeysForOptions): KeyUse {
  let isClosed = false;
  return {
    interrupt: () => void handle.interrupt('interrupted by the user'),
    end: stop.end,
    canWait: () => handle.terms.followUp === true && !isClosed,
    say(text) {
      try {
        handle.say(text);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    allSaid() {
      isClosed = true;
      handle.close();
    },
    history,
    files: () => projectFiles(cwd),
  };
}
