/** Finds the fields of an object in the bytes of a line of JSON without reading the line. What is no JSON where it was looked at has no fields. */

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const LAST_ASCII = 127;

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

  /** Instead of skipping, when it is known what the value ends before. */
  go(behind: number): void {
    this.valueTo = behind;
    this.#at = behind;
  }

  /** Behind the last field, when there is no further one: where its brace should be. */
  get at(): number {
    return this.#at;
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

  /** Whether its value is a text of plain letters, which are the same however they are read. */
  get isPlain(): boolean {
    if (!this.isText) return false;
    for (let at = this.valueFrom; at < this.valueTo; at += 1) {
      const byte = this.#bytes[at] ?? BACKSLASH;
      if (byte === BACKSLASH || byte > LAST_ASCII) return false;
    }
    return true;
  }

  /** Its value, when it is a number that counts something. */
  get count(): number | undefined {
    const sum = digits(this.#bytes, this.valueFrom, this.valueTo - this.valueFrom);
    return Number.isNaN(sum) ? undefined : sum;
  }

  get isText(): boolean {
    return this.#bytes[this.valueFrom] === QUOTE;
  }
}

/** `2026-11-17T04:31:46.123Z` between quotes, in ms since the epoch; undefined when it is written otherwise. */
export function timeAt(bytes: Uint8Array, quote: number, end: number): number | undefined {
  if (end - quote !== 26 || bytes[quote + 11] !== 84 || bytes[quote + 24] !== 90 || bytes[quote + 20] !== 46)
    return undefined;
  const at = quote + 1;
  const year = digits(bytes, at, 4);
  const month = digits(bytes, at + 5, 2);
  const day = digits(bytes, at + 8, 2);
  const time =
    digits(bytes, at + 11, 2) * 3_600_000 +
    digits(bytes, at + 14, 2) * 60_000 +
    digits(bytes, at + 17, 2) * 1000 +
    digits(bytes, at + 20, 3);
  const date = year * 10_000 + month * 100 + day;
  if (date !== lastDate) lastDay = Date.UTC(year, month - 1, day);
  lastDate = date;
  const told = lastDay + time;
  return Number.isNaN(told) ? undefined : told;
}

/** Most lines are of the day of the line before. */
let lastDate = 0;
let lastDay = 0;

function digits(bytes: Uint8Array, from: number, count: number): number {
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
  for (let at = quote + 1; at < end; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return -1;
}

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
