/**
 * Parts of lines of JSON that are alike but for their texts and numbers: once one was read, the next one is compared with it byte by byte, which takes
 * a tenth of the time. What is like none has to be read.
 */

const QUOTE = 34;
const COMMA = 44;
const MINUS = 45;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const LAST_ASCII = 126;

/** So many are kept. */
const MOST_SHAPES = 24;
/** As many values as are looked for in one part; further ones have to be the same. */
const MOST_SLOTS = 128;
/** Longer parts hardly come again. */
const MOST_BYTES = 8192;
const MOST_LETTERS = 100;
/** Shapes that are remembered by what stands at the telling places. */
const LIKELY_BITS = 8;
const LIKELY = 2 ** LIKELY_BITS;
/** Odd and irregular, so that every bit of what it is multiplied with moves the highest ones. */
const MIXER = 0x9e3779b1;

export interface ShapeRules {
  /** Keys of the objects within which the part begins, from outside. */
  within: readonly string[];
  /** It ends before the value of one of these, by their paths (`message.content`), or with the line. */
  ends: ReadonlySet<string>;
  /** Values that tell what a line is, by their paths: they have to be the same. */
  fixed: ReadonlySet<string>;
  /** Places behind the beginning at which lines of different shapes mostly differ: what was there last is tried first. */
  telling: readonly [number, number];
}

/** What stands at each path; lists and what is in them left out. */
export type ShapePaths = ReadonlyMap<string, ShapeValue>;

/** A text or number in a slot; `same` is JSON that all lines of the shape have there, empty for an object or a list. */
export type ShapeValue = { text: number } | { number: number } | { same: string };

interface Sample {
  /** What is the same, in order. */
  letters: Uint8Array;
  lettersView: DataView;
  /** How many of them stand before each slot. */
  before: Int32Array;
  isText: Uint8Array;
  paths: ShapePaths;
  /** The path whose value comes next; empty at the end of the line. */
  end: string;
}

interface Shape<Meaning> extends Sample {
  meaning: Meaning;
}

/** One for very many lines. */
export class LineShapes<Meaning> {
  /** Where the part ends that was found last. */
  at = 0;
  #bytes: Uint8Array = new Uint8Array();
  #view: DataView = new DataView(this.#bytes.buffer);
  readonly #from = new Int32Array(MOST_SLOTS);
  readonly #to = new Int32Array(MOST_SLOTS);
  readonly #rules: ShapeRules;
  readonly #meaningOf: (paths: ShapePaths, end: string) => Meaning | undefined;
  readonly #shapes: Shape<Meaning>[] = [];
  /** By what stands at the telling places. */
  readonly #likely: (Shape<Meaning> | undefined)[] = Array.from({ length: LIKELY });

  /** `meaningOf`: what a part of this shape says, asked once; undefined when such lines are to be read. */
  constructor(rules: ShapeRules, meaningOf: (paths: ShapePaths, end: string) => Meaning | undefined) {
    this.#rules = rules;
    this.#meaningOf = meaningOf;
  }

  /** Undefined when no part that was learned is alike. Nothing is said of what stands behind it. */
  find(bytes: Uint8Array, from: number, end: number): Meaning | undefined {
    const place = this.#placeOf(bytes, from, end);
    const likely = this.#likely[place];
    if (likely && this.#isAlike(likely, bytes, from, end)) return likely.meaning;
    const shapes = this.#shapes;
    for (let index = 0; index < shapes.length; index += 1) {
      const shape = shapes[index] as Shape<Meaning>;
      if (shape === likely || !this.#isAlike(shape, bytes, from, end)) continue;
      this.#likely[place] = shape;
      // Towards the front, so that what is frequent is tried early.
      if (index > 0) {
        shapes[index] = shapes[index - 1] as Shape<Meaning>;
        shapes[index - 1] = shape;
      }
      return shape.meaning;
    }
    return undefined;
  }

  /** From a line that is JSON, which has to be known: gives what this part of it means, as `find` would. */
  learn(bytes: Uint8Array, from: number, end: number): Meaning | undefined {
    const sample = sampleOf(bytes, from, end, this.#rules);
    const meaning = sample && this.#meaningOf(sample.paths, sample.end);
    if (meaning === undefined) return undefined;
    const shape = { ...sample, meaning } as Shape<Meaning>;
    if (this.#shapes.unshift(shape) > MOST_SHAPES) this.#shapes.pop();
    this.#likely[this.#placeOf(bytes, from, end)] = shape;
    return this.#isAlike(shape, bytes, from, end) ? meaning : undefined;
  }

  /** Where a slot of what was found last begins. */
  begin(slot: number): number {
    return this.#from[slot] ?? 0;
  }

  /** Behind the last byte of it. */
  behind(slot: number): number {
    return this.#to[slot] ?? 0;
  }

  #placeOf(bytes: Uint8Array, from: number, end: number): number {
    const [first, second] = this.#rules.telling;
    if (from + second + 4 > end) return 0;
    const view = this.#viewOf(bytes);
    const mixed = Math.imul(
      view.getInt32(from + first, true) ^ Math.imul(view.getInt32(from + second, true), 31),
      MIXER,
    );
    return mixed >>> (32 - LIKELY_BITS);
  }

  #isAlike({ letters, lettersView, before, isText }: Sample, bytes: Uint8Array, begin: number, end: number): boolean {
    const view = this.#viewOf(bytes);
    let at = begin;
    let letter = 0;
    for (let slot = 0; slot <= before.length; slot += 1) {
      const count = (slot < before.length ? (before[slot] as number) : letters.length) - letter;
      if (at + count > end || !areSame(lettersView, letter, view, at, count)) return false;
      letter += count;
      at += count;
      if (slot === before.length) break;
      this.#from[slot] = at;
      at = isText[slot] === 1 ? endOfPlain(bytes, at, view) : endOfNumber(bytes, at);
      if (at < 0) return false;
      this.#to[slot] = at;
    }
    this.at = at;
    return true;
  }

  #viewOf(bytes: Uint8Array): DataView {
    if (this.#bytes !== bytes) {
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    return this.#view;
  }
}

/** The slot of the text at this path. */
export function textAt(paths: ShapePaths, path: string): number | undefined {
  const value = paths.get(path);
  return value && 'text' in value ? value.text : undefined;
}

/** The slot of the number there. */
export function numberAt(paths: ShapePaths, path: string): number | undefined {
  const value = paths.get(path);
  return value && 'number' in value ? value.number : undefined;
}

/** What is always there. */
export function sameAt(paths: ShapePaths, path: string): string | undefined {
  const value = paths.get(path);
  return value && 'same' in value ? value.same : undefined;
}

/** Undefined when it is written with blanks, or a key comes twice or in other letters: what counts is then for others to say. */
function sampleOf(bytes: Uint8Array, from: number, end: number, rules: ShapeRules): Sample | undefined {
  const letters: number[] = [];
  const before: number[] = [];
  const isText: number[] = [];
  const paths = new Map<string, ShapeValue>();
  const open = [...rules.within];
  let lists = 0;
  let path = '';
  let at = from;
  while (at < end) {
    const byte = bytes[at] ?? 0;
    if (letters.length > MOST_BYTES) return undefined;
    if (byte === QUOTE) {
      const to = endOfText(bytes, at, end);
      if (to < 0) return undefined;
      if (bytes[to] !== COLON) addValue(to, endOfPlain(bytes, at + 1) === to - 1 ? 'text' : undefined);
      else if (!beginField(to)) return undefined;
      else if (lists === 0 && rules.ends.has(path)) return { ...sample(), end: path };
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (byte === OPEN_LIST || lists > 0) lists += 1;
      else if (path !== '') open.push(path.slice(path.lastIndexOf('.') + 1));
      copy(at + 1);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (lists > 0) lists -= 1;
      else open.pop();
      copy(at + 1);
    } else if (byte === COMMA) copy(at + 1);
    else if (!WORDS.has(byte)) return undefined;
    else {
      const to = endOfWord(bytes, at, end);
      addValue(to, endOfNumber(bytes, at) === to ? 'number' : undefined);
    }
  }
  return { ...sample(), end: '' };

  function sample(): Omit<Sample, 'end'> {
    const same = Uint8Array.from(letters);
    return {
      letters: same,
      lettersView: new DataView(same.buffer),
      before: Int32Array.from(before),
      isText: Uint8Array.from(isText),
      paths,
    };
  }

  function beginField(colon: number): boolean {
    const key = lettersIn(at + 1, colon - 1);
    copy(colon + 1);
    if (lists > 0) return true;
    path = [...open, key].join('.');
    if (paths.has(path) || key === '' || /[\\.]/.test(key)) return false;
    paths.set(path, { same: '' });
    return true;
  }

  function addValue(to: number, kind: 'text' | 'number' | undefined): void {
    const isFixed = !kind || before.length === MOST_SLOTS || (lists === 0 && rules.fixed.has(path));
    const slot = before.length;
    if (lists === 0)
      paths.set(path, isFixed ? { same: lettersIn(at, to) } : kind === 'text' ? { text: slot } : { number: slot });
    if (!isFixed) {
      const quotes = kind === 'text' ? 1 : 0;
      copy(at + quotes);
      before.push(letters.length);
      isText.push(quotes);
      at = to - quotes;
    }
    copy(to);
  }

  function copy(to: number): void {
    for (; at < to; at += 1) letters.push(bytes[at] ?? 0);
  }

  /** Nothing that is asked for is longer. */
  function lettersIn(first: number, to: number): string {
    if (to - first > MOST_LETTERS) return '';
    return String.fromCharCode(...bytes.subarray(first, to));
  }
}

/**
 * Eight letters at a time, as one number; the last eight or four may be looked at twice. Letters of ASCII never make a number that is not
 * equal to itself, nor one of the two zeros, so that equal numbers are equal letters.
 */
function areSame(one: DataView, from: number, other: DataView, at: number, count: number): boolean {
  if (count >= 8) {
    const last = count - 8;
    for (let index = 0; index < last; index += 8)
      if (one.getFloat64(from + index) !== other.getFloat64(at + index)) return false;
    return one.getFloat64(from + last) === other.getFloat64(at + last);
  }
  if (count >= 4)
    return (
      one.getInt32(from) === other.getInt32(at) && one.getInt32(from + count - 4) === other.getInt32(at + count - 4)
    );
  for (let index = 0; index < count; index += 1)
    if (one.getUint8(from + index) !== other.getUint8(at + index)) return false;
  return true;
}

/** Behind its closing quote, from its opening one. */
function endOfText(bytes: Uint8Array, quote: number, end: number): number {
  for (let at = quote + 1; at < end; at += 1) {
    if (bytes[at] === QUOTE) return at + 1;
    if (bytes[at] === BACKSLASH) at += 1;
  }
  return -1;
}

/** What `true`, `false`, `null` and numbers begin with. */
const WORDS: ReadonlySet<number> = new Set([...'tfn-0123456789'].map((letter) => letter.charCodeAt(0)));

/** Behind one of them. */
function endOfWord(bytes: Uint8Array, from: number, end: number): number {
  let at = from + 1;
  while (at < end && bytes[at] !== COMMA && bytes[at] !== CLOSE_OBJECT && bytes[at] !== CLOSE_LIST) at += 1;
  return at;
}

/** Behind letters that are the same however they are read. */
function endOfPlain(bytes: Uint8Array, from: number, view?: DataView): number {
  let at = from;
  if (view) while (at + 4 <= bytes.length && arePlain(view.getInt32(at, true))) at += 4;
  while (IS_PLAIN[bytes[at] ?? 0] === 1) at += 1;
  return at;
}

/** Four letters at once; may say no of a four that is, and never yes of one that is not. */
function arePlain(four: number): boolean {
  const quote = four ^ 0x22222222;
  const backslash = four ^ 0x5c5c5c5c;
  // A byte that is less than what is taken off borrows, which shows in its highest bit.
  const odd = four | (four - 0x20202020) | ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash);
  return (odd & HIGHEST) === 0;
}

const ONES = 0x01010101;
const HIGHEST = 0x80808080;

const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 32 && byte <= LAST_ASCII && byte !== QUOTE && byte !== BACKSLASH ? 1 : 0,
);

/** Behind a number as JSON has them, but for exponents; -1 when there is none. */
function endOfNumber(bytes: Uint8Array, from: number): number {
  const first = bytes[from] === MINUS ? from + 1 : from;
  let at = endOfDigits(bytes, first);
  if (at === first || (bytes[first] === ZERO && at > first + 1)) return -1;
  if (bytes[at] !== DOT) return at;
  const fraction = at + 1;
  at = endOfDigits(bytes, fraction);
  return at === fraction ? -1 : at;
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = bytes[at] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[at] ?? 0) at += 1;
  return at;
}
