/**
 * A database of another program, open to be asked. It is only read, and nothing is made beside it: where that program left what it wrote
 * last in a write-ahead log and is gone, both are copied and the copy is read.
 */
import { copyFileSync, existsSync, lstatSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { GlassboxError } from '../event/index.js';
import { type Driver, loadDriver } from './sqlite/driver.js';
import { openToRead } from './sqlite/read-only.js';
import type { Row, Value } from './table/row.js';

export interface ForeignDatabase {
  rows(sql: string, ...values: readonly Value[]): Row[];
  close(): void;
}

let loading: Promise<Driver> | undefined;

/** Rejects when there is nothing that can be read. */
export async function openForeign(path: string): Promise<ForeignDatabase> {
  loading ??= loadDriver();
  const driver = await loading;
  requireOwn(path);
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  const copy = hasLog && !existsSync(`${path}-shm`) ? copied(path) : undefined;
  const database = copy ? new driver.DatabaseSync(copy.path) : openToRead(driver, path);
  if (!database) {
    copy?.remove();
    throw new GlassboxError('read-failed', 'It is no database that can be read.');
  }
  return {
    rows: (sql, ...values) => database.prepare(sql).all(...values),
    close() {
      database.close();
      copy?.remove();
    },
  };
}

/** What a link or a file of somebody else holds is not brought in. */
function requireOwn(path: string): void {
  for (const name of [path, `${path}-wal`, `${path}-shm`]) {
    const facts = lstatSync(name, { throwIfNoEntry: false });
    const user = process.getuid?.();
    const isOurs = !facts || user === undefined || user === 0 || facts.uid === user;
    if (facts && (!facts.isFile() || !isOurs))
      throw new GlassboxError('read-failed', `${basename(name)} is not a regular file of this user.`);
  }
}

function copied(path: string): { path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'glassbox-read-'));
  const copy = join(folder, 'copy.db');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    return { path: copy, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
