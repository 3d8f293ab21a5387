/** The beginning of a file, read at once: a history has thousands of files, and waiting for each costs more than reading it. */
import { closeSync, readSync } from 'node:fs';
import { openOwnNow } from './own-file.js';

/** First messages are short: this is enough to see what a file is. */
const HEAD_BYTES = 64 * 1024;
/** And this is enough for most of them. */
const FIRST_BYTES = 4 * 1024;
const LINE_FEED = 10;

const bytes = Buffer.alloc(HEAD_BYTES);

/** Its first lines as text. Throws when it is no file that may be read. */
export function readHead(path: string): string {
  return read(path, (file) => bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD_BYTES, 0)));
}

/** The first of them, as far as it is looked at. */
export function readFirstLine(path: string): string {
  return read(path, (file) => {
    let length = readSync(file, bytes, 0, FIRST_BYTES, 0);
    if (length === FIRST_BYTES && endIn(length) < 0)
      length += readSync(file, bytes, length, HEAD_BYTES - length, length);
    const end = endIn(length);
    return bytes.toString('utf8', 0, end < 0 ? length : end);
  });
}

function endIn(length: number): number {
  const at = bytes.indexOf(LINE_FEED);
  return at < length ? at : -1;
}

function read<Result>(path: string, work: (file: number) => Result): Result {
  const file = openOwnNow(path);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
