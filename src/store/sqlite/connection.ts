/** One connection to the file: prepared statements by their text, transactions, and failures in words that help. */
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { GlassboxError } from '../../event/index.js';
import { type Database, loadDriver, type Row, type Statement, type Value } from './driver.js';

export interface Connection {
  readonly path: string;
  run(sql: string, ...values: Value[]): number;
  get(sql: string, ...values: Value[]): Row | undefined;
  all(sql: string, ...values: Value[]): Row[];
  exec(sql: string): void;
  /** All or nothing, and nobody else writes meanwhile. Calls within join the one that is open. */
  transaction<Result>(work: () => Result): Result;
  close(): void;
}

/** How long to wait for another process that writes. Its transactions take milliseconds. */
const BUSY_MS = 10_000;

export async function connect(path: string): Promise<Connection> {
  const DatabaseSync = await loadDriver();
  if (path !== ':memory:') makePrivate(path);
  let database: Database;
  try {
    database = new DatabaseSync(path);
    database.exec(`pragma busy_timeout = ${BUSY_MS}`);
    // A new file only; an existing one keeps its mode. With it, deleted sessions give their space back.
    database.exec('pragma auto_vacuum = incremental');
    database.exec('pragma journal_mode = wal');
    database.exec('pragma synchronous = normal');
    database.exec('pragma journal_size_limit = 67108864');
    database.exec('pragma cache_size = -32768');
    database.exec('pragma mmap_size = 1073741824');
    database.exec('pragma temp_store = memory');
  } catch (error) {
    throw explain(error, path);
  }
  return wrap(database, path);
}

function wrap(database: Database, path: string): Connection {
  const statements = new Map<string, Statement>();
  let inTransaction = false;

  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const guarded = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw explain(error, path);
    }
  };

  return {
    path,
    run: (sql, ...values) => guarded(() => Number(prepare(sql).run(...values).changes)),
    get: (sql, ...values) => guarded(() => prepare(sql).get(...values)),
    all: (sql, ...values) => guarded(() => prepare(sql).all(...values)),
    exec: (sql) => guarded(() => database.exec(sql)),
    close: () => guarded(() => database.close()),
    transaction(work) {
      if (inTransaction) return work();
      guarded(() => database.exec('begin immediate'));
      inTransaction = true;
      try {
        const result = work();
        guarded(() => database.exec('commit'));
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

/** SQLite's primary result codes. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

function explain(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return error;
  const next = advice(error.errcode & 0xff, path);
  return new GlassboxError('store', `The store ${path} ${next ?? `failed: ${error.message}.`}`, { cause: error });
}

function advice(code: number, path: string): string | undefined {
  switch (code) {
    case BUSY:
    case LOCKED:
      return `was locked by another process for ${BUSY_MS / 1000} seconds. Try again when that process is done.`;
    case READONLY:
      return 'cannot be written to. Check its permissions, or choose another place with --store or GLASSBOX_STORE.';
    case CANTOPEN:
      return 'cannot be opened. Check the permissions of its folder, or choose another place with --store or GLASSBOX_STORE.';
    case FULL:
      return 'cannot grow: the disk is full. Free some space, or remove old sessions with glassbox prune. What was already kept is safe.';
    case IOERR:
      return 'could not be read or written: the disk or the network drive reports an error. What was already kept is safe.';
    case CORRUPT:
    case NOTADB:
      return `is damaged or is no store. Nothing was deleted. Move it away to begin a new one (mv "${path}" "${path}.damaged"), or choose another place with --store.`;
    default:
      return undefined;
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
