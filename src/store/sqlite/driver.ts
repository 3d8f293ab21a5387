/** SQLite for whichever Node this is: its own where it has one, else the package with the same interface. */
import { GlassboxError } from '../../event/index.js';

export type Value = null | number | string;
export type Row = Record<string, Value>;

export interface Statement {
  run(...values: Value[]): { changes: number | bigint };
  get(...values: Value[]): Row | undefined;
  all(...values: Value[]): Row[];
  setReadBigInts(enabled: boolean): void;
}

export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

interface Driver {
  DatabaseSync: new (path: string) => Database;
}

/** The names are no literals, so that neither the compiler nor the bundler looks for modules that may not be there. */
const DRIVERS: readonly string[] = ['node:sqlite', '@photostructure/sqlite'];

export async function loadDriver(): Promise<Driver['DatabaseSync']> {
  for (const name of DRIVERS) {
    const driver: Driver | undefined = await import(name).catch(() => undefined);
    if (driver && canSearch(driver)) return driver.DatabaseSync;
  }
  throw new GlassboxError(
    'store',
    `This Node (${process.version}) has no SQLite that can search, and the optional package ${DRIVERS[1]} is not installed. ` +
      'Use Node 24 or later, install that package, or go on without a store (--no-store).',
  );
}

/** The first releases of Node that have SQLite have it without full-text search. */
function canSearch({ DatabaseSync }: Driver): boolean {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec("create virtual table probe using fts5 (text, content = '', contentless_delete = 1)");
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}
