/** One row of the table of numbers to hold, measured in a process of its own and printed as one line of JSON. */
export interface Row {
  /** Number in the table of the numbers to hold, with a letter where it has parts. */
  row: number | string;
  what: string;
  against: string;
  /** What has to be reached, in words: `≥ 0.80`. */
  goal: string;
  /** The figure that the goal is about. */
  value: number;
  unit: string;
  ok: boolean;
  /** Further figures, not judged. */
  also: Record<string, string>;
}

export function report(rows: Row[]): void {
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}
