/** Where the money went, every figure with how it came to be known. */
import type { ModelUsage } from '../../event/index.js';
import { costOf, type Figure, sumLedgers } from '../../ledger/index.js';
import type { SessionState } from '../state.js';
import { values } from '../table/chunks.js';
import { selectRun } from './select-run.js';

export interface SessionCost {
  /** What the newest run spent itself. Absent is unknown, never zero. */
  run?: Figure | undefined;
  /** What the runs of this state spent together. */
  session?: Figure | undefined;
  /** The newest run's own, by model. */
  models: readonly ModelUsage[];
}

/** What the run and the session cost, with how sure that is; absent is unknown. */
export function selectCost(state: SessionState): SessionCost {
  const run = selectRun(state);
  return {
    run: run && costOf(run.ledger),
    session: sumLedgers(Array.from(values(state.runs.rows), ({ ledger }) => ledger)),
    models: run?.ledger.models ?? [],
  };
}
