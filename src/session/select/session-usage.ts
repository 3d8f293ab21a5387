/** Tokens of a session: what results told about turns that ended, what messages told about those under way. */
import type { Usage } from '../../event/index.js';
import { addUsage, usageOf } from '../../ledger/index.js';
import type { Run, SessionState } from '../state.js';
import { values } from '../table/chunks.js';
import { selectRun } from './select-run.js';

export interface SessionUsage {
  /** Of all runs, with cache and sub-agents; `lacks` says if the latter are not known. Absent is unknown, never zero. */
  total?: Usage | undefined;
  /** True while a turn is under way: more will come. */
  estimated: boolean;
  context?: Run['context'] | undefined;
}

/** Tokens of the session, and how full the context is. */
export function selectUsage(state: SessionState): SessionUsage {
  let total: Usage | undefined;
  let estimated = false;
  for (const { ledger } of values(state.runs.rows)) {
    total = addUsage(total, usageOf(ledger));
    estimated ||= ledger.open.length > 0;
  }
  return { total, estimated, context: selectRun(state)?.context };
}
