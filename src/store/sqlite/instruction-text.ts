/**
 * Instructions on their way to the owner of a run: exact, secrets included, so they stand apart from everything that is kept, and are
 * wiped when the owner has taken them or nobody will. Wiped means overwritten in the file and gone from the write-ahead log.
 */

import type { Value } from '../table/row.js';
import type { Connection } from './connection.js';

/** Somebody who reads is seldom at it for longer; a writer must not wait for one who is. */
const PATIENCE_MS = 50;

/** Connections that wiped something whose old image may stand in the log. */
const untidy = new WeakSet<Connection>();

/** By the id of the instruction. */
export function putInstructionText(db: Connection, id: string, body: string): void {
  overwriting(db, 'insert into said (id, body) values (?, ?)', id, body);
}

/** Those that a condition names; to be called within the transaction that settles them. */
export function wipeInstructionText(db: Connection, which: string, ...values: Value[]): void {
  // Looked for often and seldom found, so a look alone writes nothing.
  if (!db.get(`select 1 from said where ${which}`, ...values)) return;
  overwriting(db, `delete from said where ${which}`, ...values);
  untidy.add(db);
}

/** To be called after a transaction that may have wiped; what cannot be done now because somebody reads is done the next time. */
export function tidyLog(db: Connection): void {
  if (untidy.has(db) && emptyLog(db)) untidy.delete(db);
}

/** For what an earlier version left in the file. */
export function expectTidying(db: Connection): void {
  untidy.add(db);
}

/** Overwrites what it frees; only here, because that costs a write for each page that is freed. */
function overwriting(db: Connection, sql: string, ...values: Value[]): void {
  db.exec('pragma secure_delete = on');
  try {
    db.run(sql, ...values);
  } finally {
    db.exec('pragma secure_delete = off');
  }
}

/** False when somebody reads from the log. */
function emptyLog(db: Connection): boolean {
  const busyMs = Number(db.get('pragma busy_timeout')?.timeout ?? 0);
  db.exec(`pragma busy_timeout = ${PATIENCE_MS}`);
  try {
    return db.get('pragma wal_checkpoint(truncate)')?.busy !== 1;
  } catch {
    return false;
  } finally {
    db.exec(`pragma busy_timeout = ${busyMs}`);
  }
}
