/** The newest run of a session: the one that is, or was last, under way. */
import { entryAt } from './chunks.js';
import type { Run, SessionState } from './state.js';

export function selectRun({ runs }: SessionState): Run | undefined {
  return entryAt(runs.rows, runs.rows.size - 1);
}
