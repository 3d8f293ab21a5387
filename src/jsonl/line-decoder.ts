import { type DecodeErrorCode, GlassboxError } from '../event/index.js';
import { createOpenLine } from './open-line.js';
import { decodeUtf8, NOTHING } from './utf8.js';

/** One line that was not blank, in the order of the input. `line` counts from 1, `bytes` is its size without the line end. */
export type Item = ValueItem | ErrorItem;

export interface ValueItem {
  kind: 'value';
  value: unknown;
  line: number;
  bytes: number;
}

/** A line that is not a value. Never carries its text, which may hold a secret. */
export interface ErrorItem {
  kind: 'error';
  code: DecodeErrorCode;
  line: number;
  bytes: number;
  /** The input ended inside this line. */
  cut?: true;
}

/** Bytes in, in pieces of any size; values out. Never throws and holds at most one line. */
export interface LineDecoder {
  push(bytes: Uint8Array): Item[];
  /** The input is over: a last line without newline counts. */
  end(): Item[];
}

export interface LineOptions {
  /** Longest line in bytes without its end: 10 MiB unless told, at least 1 MiB, `Infinity` for the longest that a string can hold. */
  maxLineBytes?: number | undefined;
}

/** The value of a line that can be known without parsing it; undefined: it is parsed. */
export type ReadFrequent = (line: string) => unknown;

const DEFAULT_MAX_LINE_BYTES = 10 * 2 ** 20;
const SMALLEST_MAX_LINE_BYTES = 2 ** 20;
/** The longest string that every engine can hold, less the CR. */
const LONGEST_TEXT = 2 ** 29 - 25;

/** Lines behind one that is shorter are read a block at a time: for so few bytes it is dear to make a text of each. Longer ones gain nothing. */
const SHORT_BYTES = 512;
/** Small, because a word that somebody keeps may keep all of it. */
const BLOCK_BYTES = 4 * 1024;
/** Behind a block with other letters, which was read in vain, so many lines are read one by one: more such letters are likely. */
const LINES_APART = 64;

/**
 * More would live long enough to be moved about by the engine. And it must see fewer than a hundred values of a kind at once: where all of
 * these live it takes for granted that such values live long, and what hangs on them is then cleared away much later, at a quarter of the time.
 */
const MOST_ITEMS = 64;

/** Nothing else ends a line: U+2028, U+2029 and a lone CR are legal inside a line of JSON. */
const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = 0xfeff;

/** Bytes in, in pieces of any size. What is read is given soon, so that few values outlive their line. */
export interface LineReader {
  push(bytes: Uint8Array): void;
  end(): void;
}

export function createLineDecoder(options?: LineOptions): LineDecoder {
  let all: Item[] = [];
  const reader = createLineReader((items) => {
    for (const item of items) all.push(item);
  }, options);
  const taken = () => {
    const items = all;
    all = [];
    return items;
  };
  return {
    push(bytes) {
      reader.push(bytes);
      return taken();
    },
    end() {
      reader.end();
      return taken();
    },
  };
}

/** `take` is given some items at a time: one by one, reading and what follows from it would take turns, which is slower for each. */
export function createLineReader(
  take: (items: readonly Item[]) => void,
  options: LineOptions = {},
  readFrequent?: ReadFrequent,
): LineReader {
  const maxBytes = checkedLimit(options.maxLineBytes ?? DEFAULT_MAX_LINE_BYTES);
  // One more than the limit, so that the CR of a longest line is still seen before its LF.
  const open = createOpenLine(maxBytes + 1);
  let line = 0;
  /** The next line that may begin a block. */
  let nextBlock = 1;
  let items: Item[] = [];

  return {
    push(bytes) {
      let start = 0;
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
        const isShort = end - start < SHORT_BYTES && open.bytes === 0;
        start = isShort && line + 1 >= nextBlock ? readBlock(bytes, start) : readLine(bytes, start, end);
      }
      if (start < bytes.length) open.add(start > 0 ? bytes.subarray(start) : bytes);
      giveAll();
    },
    end() {
      if (open.bytes === 0) return;
      line++;
      const item = closeOpen(NOTHING);
      if (item?.kind === 'error') item.cut = true;
      give(item);
      giveAll();
    },
  };

  /** The next lines, and where the one behind them starts. Where each letter of their text is one byte they become text at once. */
  function readBlock(bytes: Uint8Array, start: number): number {
    const room = Math.min(BLOCK_BYTES, bytes.length - start);
    const size = viewOf(bytes, start, room).lastIndexOf(LF) + 1;
    const text = decodeUtf8(viewOf(bytes, start, size));
    if (text?.length !== size) {
      nextBlock = line + LINES_APART;
      return start;
    }
    readText(text);
    return start + size;
  }

  function readText(text: string): void {
    for (let start = 0; start < text.length; ) {
      const lineEnd = text.indexOf('\n', start);
      const end = text.charCodeAt(lineEnd - 1) === CR ? lineEnd - 1 : lineEnd;
      line++;
      if (end > start) give(parse(text.slice(start, end), end - start));
      start = lineEnd + 1;
    }
  }

  function readLine(bytes: Uint8Array, start: number, end: number): number {
    line++;
    give(open.bytes > 0 ? closeOpen(bytes.subarray(start, end)) : readWhole(bytes, start, end));
    return end + 1;
  }

  function give(item: Item | undefined): void {
    if (item && items.push(item) === MOST_ITEMS) giveAll();
  }

  function giveAll(): void {
    const given = items;
    items = [];
    take(given);
  }

  function readWhole(bytes: Uint8Array, start: number, lineEnd: number): Item | undefined {
    const end = lineEnd > start && bytes[lineEnd - 1] === CR ? lineEnd - 1 : lineEnd;
    const size = end - start;
    if (size === 0) return undefined;
    if (size > maxBytes) return fail('line_too_long', size);
    return parse(decodeUtf8(viewOf(bytes, start, size)), size);
  }

  function closeOpen(rest: Uint8Array): Item | undefined {
    open.add(rest);
    const size = open.lastByte === CR ? open.bytes - 1 : open.bytes;
    const text = open.take();
    return size > maxBytes ? fail('line_too_long', size) : parse(text, size);
  }

  function parse(text: string | undefined, bytes: number): Item | undefined {
    if (text === undefined) return fail('encoding', bytes);
    const json = line === 1 && text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
    if (!mayStartJson(json.charCodeAt(0))) return failUnlessBlank(json, bytes);
    try {
      return { kind: 'value', value: readFrequent?.(json) ?? JSON.parse(json), line, bytes };
    } catch {
      return failUnlessBlank(json, bytes);
    }
  }

  /** Looked at last, because nearly every line is a value. */
  function failUnlessBlank(json: string, bytes: number): ErrorItem | undefined {
    return json.trim() === '' ? undefined : fail('json_parse', bytes);
  }

  function fail(code: DecodeErrorCode, bytes: number): ErrorItem {
    return { kind: 'error', code, line, bytes };
  }
}

/** Not `subarray`, which asks a Node `Buffer` for its constructor each time. */
function viewOf(bytes: Uint8Array, start: number, size: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + start, size);
}

/** What nearly all noise is not. A failing `JSON.parse` makes an error with a stack: 20 times the cost of a line. */
function mayStartJson(code: number): boolean {
  return code === 0x7b || code < 0x41 || code === 0x5b || code === 0x66 || code === 0x6e || code === 0x74;
}

function checkedLimit(maxLineBytes: number): number {
  if (maxLineBytes >= SMALLEST_MAX_LINE_BYTES) return Math.min(maxLineBytes, LONGEST_TEXT);
  throw new GlassboxError(
    'invalid-request',
    `maxLineBytes is ${maxLineBytes}, but agents print longer lines: use at least ${SMALLEST_MAX_LINE_BYTES} (1 MiB), or Infinity.`,
  );
}
