/** Tokens of a session: what results told about turns that ended, what messages told about those under way (LL-17). */
import type { Usage } from '../event/index.js';
import { entries, values } from './chunks.js';
import { selectRun } from './select-run.js';
import { MAIN_THREAD, type Run, type SessionState } from './state.js';
import { openRows } from './table.js';
import { addUsage } from './usage.js';

export interface SessionUsage {
  /** The main conversation of all runs. Absent is unknown, never zero. */
  main?: Usage;
  /** All sub-agents together, as far as their messages told. */
  subAgents?: Usage;
  /** True while part of `main` comes from messages of a turn that has not ended. */
  estimated: boolean;
  context?: Run['context'];
}

export function selectUsage(state: SessionState): SessionUsage {
  let main: Usage | undefined;
  let subAgents: Usage | undefined;
  for (const run of values(state.runs.rows)) main = addUsage(main, run.usage);
  for (const [number, thread] of entries(state.threads)) {
    if (number !== MAIN_THREAD) subAgents = addUsage(subAgents, thread.usage);
  }
  let estimated = false;
  for (const [, turn] of openRows(state.turns)) {
    const soFar = turn.running ?? turn.estimate;
    if (turn.thread !== MAIN_THREAD || soFar === undefined) continue;
    main = addUsage(main, soFar);
    estimated = true;
  }
  return { main, subAgents, estimated, context: selectRun(state)?.context };
}
