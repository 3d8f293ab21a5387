/** The beginning of a file, read at once: a history has thousands of files, and waiting for each costs more than reading it. */
import { closeSync, fstatSync, readSync, type Stats } from 'node:fs';
import { openOwnNow } from './own-file.js';

/** First messages are short: this is enough to see what a file is. */
const HEAD_BYTES = 64 * 1024;
/** And this is enough for most of them. */
const FIRST_BYTES = 4 * 1024;

export interface Head {
  text: string;
  facts: Stats;
}

const bytes = Buffer.alloc(HEAD_BYTES);

/** Its first lines as text, or the first of them. Throws when it is no file that may be read. */
export function readHead(path: string, wanted: 'line' | 'lines' = 'lines'): Head {
  const file = openOwnNow(path);
  try {
    let length = readSync(file, bytes, 0, wanted === 'line' ? FIRST_BYTES : HEAD_BYTES, 0);
    if (length === FIRST_BYTES && !bytes.subarray(0, length).includes('\n'))
      length += readSync(file, bytes, length, HEAD_BYTES - length, length);
    const end = wanted === 'line' ? bytes.subarray(0, length).indexOf('\n') : -1;
    return { text: bytes.toString('utf8', 0, end < 0 ? length : end), facts: fstatSync(file) };
  } finally {
    closeSync(file);
  }
}
