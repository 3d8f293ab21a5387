/**
 * A file as it is when a question about it arrives. Read only inside the run's own directories, links resolved, and only what is a
 * regular file of modest size and text: the answer is kept and shown, and nothing about reading it may hang or have an effect.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from 'node:fs';
import type { FileNow } from '../../consent/index.js';
import type { Located } from './pattern.js';
import { isInside } from './real-path.js';

export const MOST_BYTES = 1_048_576;
const TOO_BIG = 'it is bigger than 1 MiB';
const LINKED = 'it has a second name, which may be outside';
const CHANGED = 'it changed while it was read';

/** `find` says where the file is, and is asked again after reading; `directories` are real paths. */
export function readFileNow(find: () => Located, directories: readonly string[]): FileNow {
  const located = find();
  if (!isWithin(located, directories)) return { notShown: 'it is outside the directories of this run' };
  const [real = '', other] = located.real;
  if (located.hasOtherNames) return { notShown: LINKED };
  if (other !== undefined) return { notShown: 'its path can be understood in two ways' };
  try {
    const seen = lstatSync(real);
    if (!seen.isFile()) return { notShown: 'it is not a regular file' };
    const bytes = readBytes(real, (now) => now.ino === seen.ino && now.dev === seen.dev && now.nlink === 1);
    if (typeof bytes === 'string') return { notShown: bytes };
    if (find().real[0] !== real) return { notShown: CHANGED };
    const text = textIn(bytes);
    return text === undefined ? { notShown: 'it is not text' } : { id: real, text };
  } catch (error) {
    return isMissing(error) ? { id: real, text: undefined } : { notShown: 'it cannot be read' };
  }
}

/** Whether it is inside wherever it may lead; what no file can be called is nowhere. */
export function isWithin({ real }: Located, directories: readonly string[]): boolean {
  return real.length > 0 && real.every((file) => isInside(file, directories));
}

/** Its bytes, or why they are not told. `isSame` looks at what was opened: a name may lead elsewhere by then. */
function readBytes(real: string, isSame: (now: Stats) => boolean): Uint8Array | string {
  // Neither a pipe that nobody writes to nor a link that was just put there is followed.
  const descriptor = openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  try {
    const now = fstatSync(descriptor);
    if (!now.isFile() || !isSame(now)) return CHANGED;
    const bytes = new Uint8Array(MOST_BYTES + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(descriptor, bytes, length, bytes.length - length, null);
    }
    return length > MOST_BYTES ? TOO_BIG : bytes.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}

function textIn(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
