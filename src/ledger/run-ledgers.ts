import type { AgentEvent, Balance } from '../event/index.js';
import { enter } from './enter.js';
import { type Entry, type Ledger, openLedger } from './ledger.js';
import { balanceOf } from './total.js';

/** The ledgers of the runs that a reader sees, one after the other: a run that goes on with a session begins where the one before it ended. */
export interface RunLedgers {
  /** Gives what the event settles. */
  see(event: AgentEvent): readonly Entry[];
  /** Of the newest run. */
  readonly ledger: Ledger;
}

export function createRunLedgers(): RunLedgers {
  const balances = new Map<string, Balance | undefined>();
  let ledger = openLedger();
  let last: AgentEvent | undefined;

  return {
    see(event) {
      if (last && last.runId !== event.runId) {
        if (last.sessionId !== undefined) balances.set(last.sessionId, balanceOf(ledger));
        ledger = openLedger();
      }
      last = event;
      try {
        const entered = enter(ledger, event, () => balances.get(event.sessionId ?? ''));
        ledger = entered.ledger;
        return entered.entries;
      } catch {
        // Fields of the wrong kind, as from a damaged file, tell nothing.
        return [];
      }
    },
    get ledger() {
      return ledger;
    },
  };
}
