/** What is not finished yet: the answer to "is anything still going on, and what". */
import type { Approval, Hook, Task, Tool, Turn } from '../item.js';
import type { SessionState } from '../state.js';
import { openRows, type Table } from '../table/table.js';

export interface OpenRecords {
  turns: Turn[];
  tools: Tool[];
  tasks: Task[];
  approvals: Approval[];
  hooks: Hook[];
}

/** Each in the order in which it began; costs what is open, not what ever was. */
export function selectOpenWork(state: SessionState): OpenRecords {
  return {
    turns: open(state.turns),
    tools: open(state.tools),
    tasks: open(state.tasks),
    approvals: open(state.approvals),
    hooks: open(state.hooks),
  };
}

function open<Row>(table: Table<Row>): Row[] {
  return Array.from(openRows(table), ([, row]) => row);
}
