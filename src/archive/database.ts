/** A database of another program, which is asked and never written. Who may open one is not decided here. */
export interface ForeignDatabase {
  /** Throws when the question cannot be answered, as by a release whose tables are others. */
  rows(sql: string, ...values: readonly string[]): Readonly<Record<string, unknown>>[];
  close(): void;
}

export type OpenDatabase = (path: string) => Promise<ForeignDatabase>;
