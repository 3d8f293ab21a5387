/** The newest turn of a session, under way or ended. */

import type { Turn } from '../item.js';
import type { SessionState } from '../state.js';
import { entryAt } from '../table/chunks.js';

export function selectLastTurn({ turns }: SessionState): Turn | undefined {
  return entryAt(turns.rows, turns.rows.size - 1);
}
