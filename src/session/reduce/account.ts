/** Enters what happens into the ledger of its run. */
import type { AgentEvent, Balance } from '../../event/index.js';
import { balanceOf, type Entry, enter } from '../../ledger/index.js';
import { entries } from '../table/chunks.js';
import type { ReduceContext } from './reduce-context.js';

/** Gives what the event settles. */
export function account(context: ReduceContext, event: AgentEvent): readonly Entry[] {
  const { run } = context;
  const entered = enter(run.ledger, event, () => findBalance(context));
  run.ledger = entered.ledger;
  return entered.entries;
}

/** A run that continues an earlier one of the same state begins where that ended. */
function findBalance({ state, run, number }: ReduceContext): Balance | undefined {
  let found: Balance | undefined;
  for (const [earlier, { sessionId, ledger }] of entries(state.runs.rows)) {
    if (earlier >= number) break;
    const isContinued = sessionId !== undefined && (sessionId === run.sessionId || sessionId === run.previousSessionId);
    if (isContinued) found = balanceOf(ledger);
  }
  return found;
}
