/** Checkpoints of a run that somebody has the handle of; it says in the run, or afterwards, when there are none. */
import type { AgentEvent } from '../event/index.js';
import type { RunHandle } from '../run/index.js';
import { checkpointDirectory } from './directory.js';
import { createTurnCheckpoints, type TurnCheckpoints } from './turn-checkpoints.js';

/** To be called in the turn of the event loop in which the run was started. `onFailure` hears what the run can no longer say. */
export function keepFiles(handle: RunHandle, onFailure: (message: string) => void = () => {}): TurnCheckpoints {
  let hasEnded = false;
  const { see, done } = createTurnCheckpoints({
    runId: handle.runId,
    cwd: handle.beginning.cwd,
    dir: checkpointDirectory(),
    onFailure(message) {
      const text = `The files of this run are not kept for going back. ${message}`;
      if (hasEnded) onFailure(text);
      else handle.warn('checkpoint-failed', text);
    },
  });
  return {
    see(event: AgentEvent) {
      hasEnded ||= event.type === 'run-end';
      see(event);
    },
    done,
  };
}
