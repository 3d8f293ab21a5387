/** Whether the end of a run says more than its last turn did. */
import type { Run } from '../state.js';
import type { Row } from './conversation.js';

/** A failure was already told by the turn that failed. */
export function isRunEndTold({ end }: Run): boolean {
  return end !== undefined && end.reason !== 'finished' && !(end.reason === 'failed' && end.turns > 0);
}

/** Who interrupts a turn and thereby ends the run has done one thing. */
export function isInterruptToldBefore(row: Row, before: Row | undefined): boolean {
  if (row.kind !== 'run' || row.content.end?.reason !== 'cancelled' || before?.kind !== 'turn') return false;
  return before.content.end?.outcome === 'interrupted';
}
