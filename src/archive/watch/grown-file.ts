/**
 * A file that grows, read from where it was left. Nothing is held open in between, and whatever happened to the file meanwhile shows:
 * that it is another one, that it became shorter, that what was read is no longer in it.
 */
import type { FileHandle } from 'node:fs/promises';
import { createLineDecoder, type Item } from '../../jsonl/index.js';
import type { ConversationFile } from '../find.js';
import { openOwn } from '../own-file.js';

export interface GrownFile extends ConversationFile {
  /** Device and inode, with what its first bytes were. */
  identity?: { device: number; inode: number; head: Buffer };
  /** How far it was read, and the last bytes of that. */
  offset: number;
  last: Buffer;
  lines: ReturnType<typeof createLineDecoder>;
  /** Size and time of the last look: with the same there is nothing to be read. */
  stamp: string;
}

/**
 * `again`: it does not continue what was read, so that the conversation has to be read from its beginning. `gone`: it is not there, or
 * nothing that may be read.
 */
export type Growth = 'again' | 'gone' | 'same';

/** Enough to tell one file from another. */
const PROOF_BYTES = 256;
/** How much is in memory at once. */
const PIECE_BYTES = 256 * 1024;
/** Longer than any line or document that was seen, and short enough for memory. */
const MAX_BYTES = 64 * 2 ** 20;

export function createGrownFile(file: ConversationFile): GrownFile {
  return { ...file, offset: 0, last: Buffer.alloc(0), lines: newLines(), stamp: '' };
}

/** What came since the last look, in pieces. A document is told whole. */
export async function* readGrowth(file: GrownFile): AsyncGenerator<Item[], Growth, undefined> {
  const handle = await openOwn(file.path).catch(() => undefined);
  if (!handle) return 'gone';
  try {
    const { size, mtimeMs, dev, ino } = await handle.stat();
    const stamp = `${dev} ${ino} ${size} ${mtimeMs}`;
    if (stamp === file.stamp) return 'same';
    if (file.form === 'document') {
      const item = await documentIn(handle, size);
      // One that is just being written is whole a moment later, and then its stamp is another one.
      if (item) file.stamp = stamp;
      if (item) yield [item];
      return 'same';
    }
    // Emptied, to be written anew or never again: only what comes shows which.
    if (size === 0) return 'same';
    if (file.identity) {
      const verdict = await compare(handle, file, { device: dev, inode: ino, size });
      if (verdict === 'again') return 'again';
      if (verdict === 'other') restart(file);
    }
    file.identity ??= { device: dev, inode: ino, head: await bytesAt(handle, 0, PROOF_BYTES) };
    file.stamp = stamp;
    for (;;) {
      const piece = await bytesAt(handle, file.offset, PIECE_BYTES);
      if (piece.length === 0) return 'same';
      file.offset += piece.length;
      // A copy, because a part of a piece would keep the whole of it in memory.
      file.last = Buffer.from(Buffer.concat([file.last, piece.subarray(-PROOF_BYTES)]).subarray(-PROOF_BYTES));
      yield file.lines.push(piece);
    }
  } finally {
    await handle.close();
  }
}

/** `other`: a new file took the place of the old one, as when logs are rotated; what was read before stays true. */
async function compare(
  handle: FileHandle,
  { identity, offset, last }: GrownFile,
  now: { device: number; inode: number; size: number },
): Promise<'grown' | 'again' | 'other'> {
  if (!identity) return 'grown';
  const isSame = identity.device === now.device && identity.inode === now.inode;
  if (isSame && now.size >= offset && (await bytesAt(handle, offset - last.length, last.length)).equals(last)) {
    return 'grown';
  }
  const head = await bytesAt(handle, 0, identity.head.length);
  return head.equals(identity.head.subarray(0, head.length)) ? 'again' : 'other';
}

function restart(file: GrownFile): void {
  delete file.identity;
  Object.assign(file, { offset: 0, last: Buffer.alloc(0), lines: newLines(), stamp: '' });
}

async function bytesAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

async function documentIn(handle: FileHandle, bytes: number): Promise<Item | undefined> {
  if (bytes > MAX_BYTES) return { kind: 'error', code: 'line_too_long', line: 1, bytes };
  try {
    return { kind: 'value', value: JSON.parse(await handle.readFile('utf8')), line: 1, bytes };
  } catch {
    return undefined;
  }
}

function newLines(): ReturnType<typeof createLineDecoder> {
  return createLineDecoder({ maxLineBytes: MAX_BYTES });
}
