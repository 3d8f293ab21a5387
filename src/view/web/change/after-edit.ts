/** What ran after the last edit that the agent told: whether anybody looked if it still works. */

import { pathWithin } from '../../../consent/index.js';
import { entries, type SessionState, type Tool, values } from '../../../session/index.js';
import { folderOf } from '../state/folder-of.js';

export interface LastCommand {
  /** Key of its row in the conversation. */
  row: string;
  text: string;
  status: Tool['status'];
}

/** Undefined: nothing was edited. Null: nothing ran after it. */
export function commandAfterEdit(state: SessionState): LastCommand | null | undefined {
  let editedAt = -1;
  for (const { at } of values(state.changes)) editedAt = Math.max(editedAt, at);
  if (editedAt < 0) return undefined;
  let last: LastCommand | null = null;
  for (const [number, { kind, startedAt = 0, summary, name, status, run }] of entries(state.tools.rows)) {
    if (kind !== 'execute' || startedAt < editedAt) continue;
    last = { row: `t${number}`, text: pathWithin(summary || name, folderOf(state, run)), status };
  }
  return last;
}
