import { decodeUtf8, NOTHING, wholeCharacters } from './utf8.js';

/**
 * The line whose end has not been seen yet, in memory that the line limit bounds and in linear time whatever the
 * chunking: bytes are copied once into a small block, and a full block becomes text, which is joined once.
 */
export interface OpenLine {
  /** Size of the line so far, kept or not. */
  readonly bytes: number;
  add(bytes: Uint8Array): void;
  /** What was collected, with its carriage return; the line is empty afterwards. Undefined when it is not UTF-8 or longer than was kept. */
  take(): string | undefined;
  /** The last byte that was added; 0 in an empty line. */
  readonly lastByte: number;
}

const FIRST_BLOCK_BYTES = 4 * 1024;
/** Text of this size is not moved about by the engine's young generation: measured, smaller and larger blocks are slower. */
const LAST_BLOCK_BYTES = 512 * 1024;

/** `keepBytes` is the longest line worth keeping: beyond it bytes are counted and dropped. */
export function createOpenLine(keepBytes: number): OpenLine {
  let block = NOTHING;
  let used = 0;
  let text: string | undefined = '';
  let bytes = 0;
  let lastByte = 0;

  return {
    get bytes() {
      return bytes;
    },
    get lastByte() {
      return lastByte;
    },
    add(piece) {
      if (piece.length === 0) return;
      bytes += piece.length;
      lastByte = piece[piece.length - 1] as number;
      if (bytes > keepBytes) drop();
      if (text !== undefined) keep(piece);
    },
    take() {
      if (used > 0) flush(used);
      const taken = text;
      text = '';
      used = 0;
      bytes = 0;
      lastByte = 0;
      return taken;
    },
  };

  function keep(piece: Uint8Array): void {
    for (let at = 0; at < piece.length; ) {
      if (used === block.length) makeRoom(piece.length - at);
      const count = Math.min(piece.length - at, block.length - used);
      block.set(piece.subarray(at, at + count), used);
      used += count;
      at += count;
    }
  }

  function makeRoom(wanted: number): void {
    if (block.length < LAST_BLOCK_BYTES) {
      const grown = new Uint8Array(
        Math.min(LAST_BLOCK_BYTES, Math.max(FIRST_BLOCK_BYTES, block.length * 2, used + wanted)),
      );
      grown.set(block);
      block = grown;
    } else {
      flush(wholeCharacters(block));
    }
  }

  function flush(count: number): void {
    const more = decodeUtf8(block.subarray(0, count));
    text = more === undefined || text === undefined ? undefined : text + more;
    block.copyWithin(0, count, used);
    used -= count;
  }

  function drop(): void {
    text = undefined;
    used = 0;
  }
}
