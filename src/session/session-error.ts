/** What went wrong, if the session ended badly or is failing now. */
import type { ErrorFacts } from '../event/index.js';
import { entryAt } from './chunks.js';
import { selectRun } from './select-run.js';
import type { SessionState } from './state.js';

/** Of the newest run: its end's error, else that of its last turn, else a fatal one under way. */
export function selectError(state: SessionState): ErrorFacts | undefined {
  const run = selectRun(state);
  if (run?.end) return run.end.error;
  const turn = entryAt(state.turns.rows, state.turns.rows.size - 1);
  if (turn?.end) return turn.end.error;
  return run?.error?.fatal ? run.error : undefined;
}
