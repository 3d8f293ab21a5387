/**
 * The database under the fleet's tables, whichever it is. What is asked is plain SQL that every one of them reads: parameters are `?1`,
 * `?2` …, one that stands alone says its type (`cast(?1 as text)`), and what they spell differently comes from the dialect.
 */
export type SqlValue = null | number | string;

export type SqlRow = Record<string, SqlValue>;

export interface SqlStatement {
  sql: string;
  values: readonly SqlValue[];
}

export interface Sql {
  /** All of them in one transaction, or none; gives the rows of each. */
  all(statements: readonly SqlStatement[]): Promise<SqlRow[][]>;
  readonly dialect: Dialect;
}

export interface Dialect {
  /** Ms since the epoch by the clock of the database. */
  readonly now: string;
  /** What a `select` ends with that takes rows which nobody else is taking; empty where there is one writer at a time. */
  readonly skipLocked: string;
}

/** Gives the rows of the only statement. */
export async function rowsOf(sql: Sql, text: string, ...values: SqlValue[]): Promise<SqlRow[]> {
  const [rows = []] = await sql.all([{ sql: text, values }]);
  return rows;
}

/** `(?4, ?5, ?6)` for three values from the fourth on. An empty list has a value that nothing equals. */
export function listOf(values: readonly string[], from: number): string {
  return `(${values.length === 0 ? 'null' : values.map((_, index) => `?${from + index}`).join(', ')})`;
}

export const textOf = (value: SqlValue | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value);

export const numberOf = (value: SqlValue | undefined): number | undefined =>
  value === null || value === undefined ? undefined : Number(value);

/** A list of names, as a column holds it. */
export const namesOf = (value: SqlValue | undefined): string[] | undefined =>
  value === null || value === undefined ? undefined : (JSON.parse(String(value)) as string[]);
