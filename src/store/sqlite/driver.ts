/** SQLite for whichever Node this is: its own where it has one, else the package with the same interface. */
import { createRequire } from 'node:module';
import { GlassboxError } from '../../event/index.js';
import type { Row, Value } from '../table/row.js';

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

export interface Driver {
  DatabaseSync: new (path: string | URL, options?: { readOnly?: boolean }) => Database;
}

/** No literal, so that neither the compiler nor the bundler looks for a module that may not be there. */
const PACKAGE: string = '@photostructure/sqlite';

export async function loadDriver(): Promise<Driver> {
  const own = nodeDriver();
  if (own && canSearch(own)) return own;
  const driver = packageDriver();
  if (driver && canSearch(driver)) return driver;
  throw new GlassboxError(
    'store',
    `This Node (${process.version}) has no SQLite that can search, and the optional package ${PACKAGE} is not installed. ` +
      'Use Node 24 or later, install that package, or go on without a store (--no-store).',
  );
}

/** By `require`, which takes half the time of an import: it does not look through the package for names. */
function packageDriver(): Driver | undefined {
  try {
    return createRequire(import.meta.url)(PACKAGE) as Driver;
  } catch {
    return undefined;
  }
}

/** Absent in older Nodes. It warns that it is experimental, about which nobody can do anything. */
function nodeDriver(): Driver | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule?.('node:sqlite') as Driver | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
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
