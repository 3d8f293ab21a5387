/** What keys do to a run: what is typed is said to it, Esc interrupts its turn, Ctrl-C ends it, Ctrl-T hands it over to the agent's own program. */
import { type RunHandle, requireAgent } from '../../run/index.js';
import type { Stop } from '../stop.js';
import type { KeyUse } from './live-control.js';
import { projectFiles } from './project-files.js';

export interface KeysForOptions {
  stop: Pick<Stop, 'end'>;
  cwd: string;
  history: readonly string[];
  typed?: ((text: string) => void) | undefined;
  /** When somebody interrupted it, or is about to say something, it does not end: it waits for what is said next. */
  rests?: boolean;
  /** Its session shall go on in the agent's own program when the run has ended. */
  onHandOver?(): void;
}

export function keysFor(handle: RunHandle, options: KeysForOptions): KeyUse {
  const { stop, cwd, history, typed, rests = false, onHandOver } = options;
  let isClosed = false;
  let isInterrupted = false;
  let isResting = false;
  let hasSession = false;
  const { title, openArgs } = requireAgent(handle.agent);
  return {
    see({ sessionId }) {
      hasSession ||= sessionId !== undefined;
    },
    ownProgram: onHandOver && {
      title,
      refusal() {
        if (!openArgs) return `${title} cannot be opened by glassbox.`;
        return hasSession ? undefined : 'It has not said yet how to go on with it; try again in a moment.';
      },
      handOver() {
        onHandOver();
        handle.cancel(`handed over to ${title}`);
      },
    },
    interrupt() {
      isInterrupted = true;
      void handle.interrupt('interrupted by the user');
    },
    end: stop.end,
    canWait: () => handle.terms.followUp === true && !isClosed && !isResting,
    say(text) {
      try {
        handle.say(text);
        isResting = false;
        isInterrupted = false;
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    allSaid({ outcome }, isTyping) {
      isResting = rests && handle.terms.followUp === true && (isTyping || (isInterrupted && outcome === 'interrupted'));
      if (!isResting) close();
    },
    isResting: () => isResting,
    leave: close,
    history,
    ...(typed && { typed }),
    files: () => projectFiles(cwd),
  };

  function close(): void {
    isResting = false;
    isClosed = true;
    handle.close();
  }
}
