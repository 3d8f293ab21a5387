import type { EventOf } from '../event/index.js';

/** An approval that waits, with what is needed to show it. */
export interface ApprovalRecord {
  runId: string;
  /** Our session, by its short id. */
  session: string;
  request: EventOf<'approval-request'>;
}

/** An approval that was decided: by somebody, or by a rule. */
export interface DecisionRecord extends ApprovalRecord {
  resolution: EventOf<'approval-resolve'>;
}

export interface DecisionQuery {
  /** Decided at or after this time, ms since the epoch. */
  since?: number | undefined;
  /** Default 200. */
  limit?: number | undefined;
}
