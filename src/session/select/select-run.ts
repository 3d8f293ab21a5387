/** The newest run of a session: the one that is, or was last, under way. */

import type { Run, SessionState } from '../state.js';
import { entryAt } from '../table/chunks.js';

/** The run that the state is about: the last one that began. */
export function selectRun({ runs }: SessionState): Run | undefined {
  return entryAt(runs.rows, runs.rows.size - 1);
}
