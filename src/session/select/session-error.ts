/** What went wrong, if the session ended badly or is failing now. */
import type { ErrorFacts } from '../../event/index.js';
import type { SessionState } from '../state.js';
import { selectLastTurn } from './select-last-turn.js';
import { selectRun } from './select-run.js';

/** Of the newest run: its end's error, else that of its last turn, else a fatal one under way. */
export function selectError(state: SessionState): ErrorFacts | undefined {
  const run = selectRun(state);
  if (run?.end) return run.end.error;
  const turn = selectLastTurn(state);
  if (turn?.end) return turn.end.error;
  return run?.error?.fatal ? run.error : undefined;
}
