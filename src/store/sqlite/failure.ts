/** SQLite's failures in words that help: what happened to which file, and what to do. */
import { GlassboxError } from '../../event/index.js';

/** How long to wait for another process that writes. Its transactions take milliseconds. */
export const BUSY_MS = 10_000;

/** SQLite's primary result codes. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** Whether it failed for want of a permission to write, so that reading may still do. */
export function isForbidden(error: unknown): boolean {
  const cause = error instanceof GlassboxError ? error.cause : error;
  if (!(cause instanceof Error)) return false;
  if ('errcode' in cause) return [READONLY, CANTOPEN].includes(Number(cause.errcode) & 0xff);
  return 'code' in cause && ['EACCES', 'EPERM', 'EROFS'].includes(String(cause.code));
}

/** Whatever was thrown, as an error of the store. */
export function explain(error: unknown, path: string): GlassboxError {
  if (error instanceof GlassboxError) return error;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  const next = code === undefined ? undefined : advice(code);
  const why = next ?? `failed: ${error instanceof Error ? error.message : error}.`;
  return new GlassboxError('store', `The store ${path} ${why}`, { cause: error });
}

function advice(code: number): string | undefined {
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
      return 'is damaged or is no store. Nothing was deleted. Move it away to begin a new one, or choose another place with --store.';
    default:
      return undefined;
  }
}
