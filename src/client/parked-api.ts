/** What is said about going on after a limit. */

/** When a parked session is to go on. */
export interface GoOnRequest {
  /** Ms since the epoch; absent is now. */
  at?: number | undefined;
}

export interface WentOn {
  /** When it goes on, ms since the epoch. */
  at: number;
  /** Present when it went on here, now. */
  runId?: string;
}
