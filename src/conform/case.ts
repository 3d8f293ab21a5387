/** One stream that a reader is given, and what it must make of it. */
export interface Case {
  /** Unique: `lines/bom`, `claude/basic-text`. */
  name: string;
  /** The line of the scorecard that it belongs to. */
  row: string;
  /** Whose lines these are, by the agent's name. */
  agent: string;
  /** Made only when it is its turn, because some are large. */
  make(): Stream;
}

export interface Stream {
  bytes: Uint8Array;
  /** The values of the good lines, in order: each must be delivered, once. */
  good: readonly unknown[];
  /** What a forgiving reader may make of a bad line: delivering it is as right as leaving it out. */
  allowed?: readonly unknown[];
}
