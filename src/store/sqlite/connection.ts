/** One connection to the file: prepared statements by their text, and transactions. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { GlassboxError } from '../../event/index.js';
import { type Database, loadDriver, type Row, type Statement, type Value } from './driver.js';
import { BUSY_MS } from './failure.js';

export interface Connection {
  readonly path: string;
  run(sql: string, ...values: Value[]): number;
  get(sql: string, ...values: Value[]): Row | undefined;
  all(sql: string, ...values: Value[]): Row[];
  exec(sql: string): void;
  /** A statement that writes, for where each microsecond counts. */
  prepare(sql: string): Statement;
  /** All or nothing, and nobody else writes meanwhile. Calls within join the one that is open. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

const PRAGMAS = [
  `busy_timeout = ${BUSY_MS}`,
  // For a new file only; with it, deleted sessions give their space back.
  'auto_vacuum = incremental',
  'journal_mode = wal',
  'synchronous = normal',
  'journal_size_limit = 67108864',
  // Enough to write; whoever searches takes more. It stays with every process that keeps a run.
  'cache_size = -4096',
  'temp_store = memory',
];

/** Throws what the engine throws; `explain` puts it into words. */
export async function connect(path: string): Promise<Connection> {
  const DatabaseSync = await loadDriver();
  if (path !== ':memory:') makePrivate(path);
  const database = new DatabaseSync(path);
  for (const pragma of PRAGMAS) database.exec(`pragma ${pragma}`);
  return wrap(database, path);
}

function wrap(database: Database, path: string): Connection {
  const readers = new Map<string, Statement>();
  const writers = new Map<string, Statement>();
  let inTransaction = false;

  const reader = (sql: string): Statement => {
    const known = readers.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    readers.set(sql, statement);
    return statement;
  };
  const writer = (sql: string): Statement => {
    const known = writers.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    // Node also reads the last row id, which the search index makes too large for a number, and throws.
    statement.setReadBigInts(true);
    writers.set(sql, statement);
    return statement;
  };

  return {
    path,
    run: (sql, ...values) => Number(writer(sql).run(...values).changes),
    get: (sql, ...values) => reader(sql).get(...values),
    all: (sql, ...values) => reader(sql).all(...values),
    exec: (sql) => database.exec(sql),
    prepare: writer,
    close: () => database.close(),
    transaction(work) {
      if (inTransaction) return work();
      database.exec('begin immediate');
      inTransaction = true;
      try {
        const result = work();
        database.exec('commit');
        return result;
      } catch (error) {
        rollBack();
        throw error;
      } finally {
        inTransaction = false;
      }
    },
  };

  /** SQLite itself may already have rolled back, for example when the disk is full. */
  function rollBack(): void {
    try {
      database.exec('rollback');
    } catch {}
  }
}

/** Before SQLite makes the file, so that it is never readable by others, not even for a moment. */
function makePrivate(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
  } catch (error) {
    throw new GlassboxError(
      'store',
      `The store ${path} cannot be opened (${errorCode(error)}). Check the permissions of its folder, or choose another place with --store or GLASSBOX_STORE.`,
      { cause: error },
    );
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
