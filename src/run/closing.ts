/** When an agent's input may be closed, so that it ends by itself: after its last turn, never while more is to come. */
import type { AgentEvent } from '../event/index.js';

export interface Closing {
  see(event: AgentEvent): void;
  /** Something was said to the agent. */
  said(): void;
  /** Nobody will say anything any more: from now on an idle agent is let go. */
  release(): void;
  stop(): void;
}

export interface ClosingOptions {
  /** Waits for `release` however idle the agent is. */
  keepOpen: boolean;
  /** The first message is under way from the beginning. */
  hasPrompt: boolean;
  isIdle(): boolean;
  close(): void;
}

export function createClosing({ keepOpen, hasPrompt, isIdle, close }: ClosingOptions): Closing {
  let held = keepOpen;
  let hadTurn = false;
  let saidAnything = hasPrompt;
  let saidDuringTurn = false;
  let timer: NodeJS.Timeout | undefined;

  const stop = () => clearTimeout(timer);

  function closeIn(ms: number): void {
    stop();
    if (held || !hadTurn || !isIdle()) return;
    if (ms === 0) close();
    else timer = setTimeout(() => isIdle() && close(), ms);
  }

  return {
    see({ type }) {
      if (type === 'turn-start') {
        stop();
        saidDuringTurn = false;
      } else if (type === 'turn-end') {
        hadTurn = true;
        closeIn(saidDuringTurn ? QUEUED_WAIT_MS : 0);
        saidDuringTurn = false;
      } else if (type === 'task-end' || type === 'approval-resolve' || type === 'approval-withdraw') {
        closeIn(FOLLOW_UP_WAIT_MS);
      }
    },
    said() {
      stop();
      saidAnything = true;
      saidDuringTurn = true;
    },
    release() {
      held = false;
      // Where nothing was said no turn will come.
      if (saidAnything) closeIn(0);
      else close();
    },
    stop,
  };
}

/** A message said during a turn is either folded into it or starts the next one at once. */
const QUEUED_WAIT_MS = 1000;
/** The end of a background task usually starts a turn that tells of it. */
const FOLLOW_UP_WAIT_MS = 3000;
