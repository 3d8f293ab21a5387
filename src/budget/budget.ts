/** What a budget over many runs is, and what counts towards it. */
export interface Budget {
  id: string;
  /** Only what is spent for it; absent: for all of them together. */
  project?: string | undefined;
  /** Only what is spent by it; absent: by all of them together. */
  principal?: string | undefined;
  /** Of UTC, so that all hubs mean the same. */
  period: 'day' | 'month';
  usd: number;
  /** What becomes of work that goes on when all is spent. */
  running: 'finish' | 'end';
  /** Whether work of which nobody will know what it costs is counted and shown, or not begun. */
  unknown: 'count' | 'refuse';
}

/** What was spent under a budget since a moment. */
export interface Spending {
  usd: number;
  /** Runs of which it is not known what they cost, or only a part. */
  unknownRuns: number;
}
