/** Finds the fields of an object in the bytes of a line of JSON without reading the line. What is no JSON where it was looked at has no fields. */

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Where the field is that was found last. One for very many lines. */
export class RawFields {
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #end = 0;
  keyFrom = 0;
  keyTo = 0;
  valueFrom = 0;
  /** Behind its last byte, after `skip`. */
  valueTo = 0;

  /** From the brace at `at` on, or from the comma before a field. Nothing is looked at from `end` on. */
  begin(bytes: Uint8Array, at: number, end: number): void {
    this.#bytes = bytes;
    this.#at = at;
    this.#end = end;
  }

  /** The key, and where its value begins; false when there is none. What was found before has to be skipped first. */
  next(): boolean {
    const bytes = this.#bytes;
    const first = bytes[this.#at];
    if (this.#at >= this.#end || (first !== COMMA && first !== OPEN_OBJECT) || bytes[this.#at + 1] !== QUOTE)
      return false;
    this.keyFrom = this.#at + 2;
    this.keyTo = endOfText(bytes, this.#at + 1, this.#end);
    this.valueFrom = this.keyTo + 2;
    return this.keyTo >= 0 && bytes[this.keyTo + 1] === COLON;
  }

  /** Goes behind the value; false when it has no end. */
  skip(): boolean {
    this.valueTo = endOfValue(this.#bytes, this.valueFrom, this.#end);
    this.#at = this.valueTo;
    return this.valueTo >= 0;
  }

  /** Whether the object ended, and with it all that was to be looked at. */
  get isWhole(): boolean {
    return this.#at === this.#end - 1 && this.#bytes[this.#at] === CLOSE_OBJECT;
  }

  isKey(key: string): boolean {
    return this.keyTo - this.keyFrom === key.length && isAt(this.#bytes, this.keyFrom, key);
  }

  /** Whether its value begins so. */
  begins(text: string): boolean {
    return isAt(this.#bytes, this.valueFrom, text);
  }

  get isText(): boolean {
    return this.#bytes[this.valueFrom] === QUOTE;
  }
}

/** `2026-11-17T04:31:46.123Z` between quotes, in ms since the epoch; undefined when it is written otherwise. */
export function timeAt(bytes: Uint8Array, quote: number, end: number): number | undefined {
  const at = quote + 1;
  if (end - quote !== 26 || !hasSigns(bytes, at)) return undefined;
  const date = digits(bytes, at, 4) * 10_000 + digits(bytes, at + 5, 2) * 100 + digits(bytes, at + 8, 2);
  const hour = digits(bytes, at + 11, 2);
  const minute = digits(bytes, at + 14, 2);
  const second = digits(bytes, at + 17, 2);
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  if (date !== lastDate) {
    lastDate = date;
    lastDay = Date.parse(String.fromCharCode(...bytes.subarray(at, at + 10)));
  }
  const told = lastDay + hour * 3_600_000 + minute * 60_000 + second * 1000 + digits(bytes, at + 20, 3);
  return Number.isNaN(told) ? undefined : told;
}

/** `-`, `-`, `T`, `:`, `:`, `.`, `Z` */
function hasSigns(bytes: Uint8Array, at: number): boolean {
  const isDay = bytes[at + 4] === 45 && bytes[at + 7] === 45 && bytes[at + 10] === 84;
  return isDay && bytes[at + 13] === 58 && bytes[at + 16] === 58 && bytes[at + 19] === 46 && bytes[at + 23] === 90;
}

/** Most lines are of the day of the line before. */
let lastDate = 0;
let lastDay = 0;

/** The number that so many digits are; NaN when one is none. */
export function digits(bytes: Uint8Array, from: number, count: number): number {
  let sum = 0;
  for (let at = from; at < from + count; at += 1) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return Number.NaN;
    sum = sum * 10 + digit;
  }
  return sum;
}

/** Whether these letters of ASCII stand there. */
export function isAt(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

/** Its closing quote, from its opening one. */
function endOfText(bytes: Uint8Array, quote: number, end: number): number {
  let at = quote + 1;
  while (at < end) {
    // Most texts are short, and of long ones most have few quotes in them.
    for (const near = Math.min(end, at + NEAR); at < near; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) at += 1;
    }
    if (at >= end) return -1;
    // What was skipped last may be behind a backslash.
    const found = bytes.indexOf(QUOTE, at);
    if (found < 0 || found >= end) return -1;
    let before = found;
    while (before > at && bytes[before - 1] === BACKSLASH) before -= 1;
    if ((found - before) % 2 === 0) return found;
    at = found + 1;
  }
  return -1;
}

const NEAR = 48;

/** Behind the value that begins at `from`. */
export function endOfValue(bytes: Uint8Array, from: number, end: number): number {
  let depth = 0;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfText(bytes, at, end);
      if (at < 0) return -1;
      if (depth === 0) return at + 1;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === COMMA && depth === 0) return at;
  }
  return -1;
}
