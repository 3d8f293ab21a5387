/** What is told of a request to whoever keeps a log: no address, no query, nothing that was sent. */
export interface RequestFacts {
  method: string;
  /** What it was about: `sessions`, `runs`, `store` … */
  kind: string;
  status: number;
  ms: number;
  /** Absent where nobody was let in. */
  principal?: string;
}
