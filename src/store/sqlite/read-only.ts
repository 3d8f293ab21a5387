/** A store that may be read and not be written, on a medium or in a folder of somebody else: it is read, and nothing is made beside it. */
import { accessSync, constants, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { GlassboxError } from '../../event/index.js';
import type { Database, Driver } from './driver.js';
import { BUSY_MS } from './failure.js';

const PRAGMAS = [`busy_timeout = ${BUSY_MS}`, 'query_only = on', 'temp_store = memory'];

/** Undefined when there is nothing that can be read. */
export function openToRead({ DatabaseSync }: Driver, path: string): Database | undefined {
  if (path === ':memory:' || !isReadable(path) || sizeOf(path) === 0) return undefined;
  // Whoever uses the store has made this file, and with it a reader sees what is not yet in the main one.
  if (isReadable(`${path}-shm`)) {
    const shared = opened(() => new DatabaseSync(path, { readOnly: true }));
    if (shared) return shared;
  }
  if (sizeOf(`${path}-wal`) > 0) {
    throw new GlassboxError(
      'store',
      `The store ${path} can only be read, and what was written last is still in ${path}-wal. Copy both to where you may write, and name that with --store.`,
    );
  }
  const alone = pathToFileURL(path);
  alone.searchParams.set('immutable', '1');
  return opened(() => new DatabaseSync(alone, { readOnly: true }));
}

function opened(open: () => Database): Database | undefined {
  let database: Database | undefined;
  try {
    database = open();
    for (const pragma of PRAGMAS) database.exec(`pragma ${pragma}`);
    // Only a look at the file shows whether it can be read.
    database.prepare('pragma user_version').get();
    return database;
  } catch {
    database?.close();
    return undefined;
  }
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
