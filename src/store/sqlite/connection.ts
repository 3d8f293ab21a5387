/** One connection to the file: prepared statements by their text, and transactions. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { GlassboxError } from '../../event/index.js';
import type { Row, Value } from '../table/row.js';
import { type Database, type Driver, loadDriver, type Statement } from './driver.js';
import { BUSY_MS, isForbidden } from './failure.js';
import { openToRead } from './read-only.js';

export interface Connection {
  readonly path: string;
  /** Nobody lets us write: neither into the file nor beside it. */
  readonly readOnly: boolean;
  run(sql: string, ...values: Value[]): number;
  get(sql: string, ...values: Value[]): Row | undefined;
  all(sql: string, ...values: Value[]): Row[];
  exec(sql: string): void;
  /** Ms since the epoch by the clock of the database, which all who use it share. */
  now(): number;
  /** A statement that writes, for where each microsecond counts. */
  prepare(sql: string): Statement;
  /** How many there were, so that what is done once in each can be known. */
  transactions(): number;
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

const NOW = "select cast(unixepoch('subsec') * 1000 as integer) as now";

/** Throws what the engine throws; `explain` puts it into words. */
export async function connect(path: string): Promise<Connection> {
  const driver = await loadDriver();
  try {
    return wrap(openToWrite(driver, path), path, false);
  } catch (error) {
    const database = isForbidden(error) ? openToRead(driver, path) : undefined;
    if (!database) throw error;
    return wrap(database, path, true);
  }
}

function openToWrite({ DatabaseSync }: Driver, path: string): Database {
  if (path !== ':memory:') makePrivate(path);
  const database = new DatabaseSync(path);
  try {
    for (const pragma of PRAGMAS) database.exec(`pragma ${pragma}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function wrap(database: Database, path: string, readOnly: boolean): Connection {
  const readers = new Map<string, Statement>();
  const writers = new Map<string, Statement>();
  let inTransaction = false;
  let transactions = 0;

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
    readOnly,
    run: (sql, ...values) => Number(writer(sql).run(...values).changes),
    get: (sql, ...values) => reader(sql).get(...values),
    all: (sql, ...values) => reader(sql).all(...values),
    exec: (sql) => database.exec(sql),
    now: () => Number(reader(NOW).get()?.now),
    prepare: writer,
    close: () => database.close(),
    transactions: () => transactions,
    transaction(work) {
      if (inTransaction) return work();
      database.exec('begin immediate');
      inTransaction = true;
      transactions += 1;
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
