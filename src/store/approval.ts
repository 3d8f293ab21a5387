import type { EventOf } from '../event/index.js';

/** An approval that waits, with what is needed to show it. */
export interface ApprovalRecord {
  runId: string;
  /** Our session, by its short id. */
  session: string;
  request: EventOf<'approval-request'>;
}
