/**
 * A list that is never changed in place: at most 64 entries per array, in a tree of such arrays.
 *
 * Writing one entry copies O(log64 n) small arrays, mostly just the last one, and keeps every other entry identical
 * (`===`), so that a session of any length costs the same per event. Entries may be missing (`null`), which makes it a
 * sparse, ordered set too. It is plain JSON: parse a printed list and go on writing to it.
 */
export interface Chunks<T> {
  /** One more than the highest position ever written. */
  readonly size: number;
  /** How many positions hold an entry. */
  readonly count: number;
  /** The entries from position `base` on, which is a multiple of 64. */
  readonly tail: readonly (T | null)[];
  readonly base: number;
  /** The entries before, below `depth` levels of arrays. */
  readonly root: Chunk<T>;
  readonly depth: number;
}

/** At depth 0 the entries, above it the chunks below. */
export type Chunk<T> = readonly (Chunk<T> | T | null)[];

export const CHUNK_LENGTH = 64;
const BITS = 6;
/** Positions stay within 30 bits, because shifts work on 32. */
const HIGHEST_POSITION = 2 ** 30 - 1;

const EMPTY: Chunks<never> = { size: 0, count: 0, tail: [], base: 0, root: [], depth: 0 };

export function emptyChunks<T>(): Chunks<T> {
  return EMPTY;
}

/** The entry at a position, from 0. */
export function entryAt<T>(list: Chunks<T>, position: number): T | undefined {
  if (position >= list.base) return list.tail[position - list.base] ?? undefined;
  return leafAt(list, position)?.[slotOf(position, 0)] ?? undefined;
}

/** The array that holds a position: as long as it is the same, so is every entry in it. */
export function leafAt<T>(list: Chunks<T>, position: number): readonly (T | null)[] | undefined {
  if (position >= list.base) return list.tail;
  if (!(position >= 0)) return undefined;
  let node: Chunk<T> | null = list.root;
  for (let level = list.depth; level > 0 && node !== null; level--) node = below(node, slotOf(position, level));
  return (node as readonly (T | null)[] | null) ?? undefined;
}

export function append<T>(list: Chunks<T>, entry: T): Chunks<T> {
  return withEntry(list, list.size, entry);
}

/** A position that cannot be (negative, not whole, beyond all reason) leaves the list as it is. */
export function withEntry<T>(list: Chunks<T>, position: number, entry: T): Chunks<T> {
  if (!Number.isInteger(position) || position < 0 || position > HIGHEST_POSITION) return list;
  const { tail, base, root, depth } = position < list.base + CHUNK_LENGTH ? list : withNewTail(list, position);
  const size = position < list.size ? list.size : position + 1;
  const count = entryAt(list, position) === undefined ? list.count + 1 : list.count;
  if (position >= base) return { size, count, tail: filled(tail, position - base, entry), base, root, depth };
  return { size, count, tail, base, root: write(root, depth, position, entry), depth };
}

export function withoutEntry<T>(list: Chunks<T>, position: number): Chunks<T> {
  if (entryAt(list, position) === undefined) return list;
  const { size, tail, base, root, depth } = list;
  const count = list.count - 1;
  if (position < base) return { size, count, tail, base, root: erase(root, depth, position) ?? [], depth };
  return { size, count, tail: count === 0 ? [] : tail.with(position - base, null), base, root, depth };
}

/** The entries in order, each with its position; missing ones cost nothing. */
export function* entries<T>(list: Chunks<T>): Generator<[position: number, entry: T]> {
  for (const [base, leaf] of leaves(list)) {
    for (let slot = 0; slot < leaf.length; slot++) {
      const entry = leaf[slot];
      if (entry !== null) yield [base + slot, entry as T];
    }
  }
}

/** Every entry, in order. */
export function* values<T>(list: Chunks<T>): Generator<T> {
  for (const [, leaf] of leaves(list)) {
    for (const entry of leaf) if (entry !== null) yield entry;
  }
}

/** The arrays that hold the entries: for loops over everything that must be fast. */
export function* leaves<T>(list: Chunks<T>): Generator<[base: number, leaf: readonly (T | null)[]]> {
  if (list.base > 0) yield* leavesBelow(list.root, list.depth, 0);
  yield [list.base, list.tail];
}

/** Moves the tail into the tree, which then reaches up to the new one, where the position belongs. */
function withNewTail<T>(list: Chunks<T>, position: number): Pick<Chunks<T>, 'tail' | 'base' | 'root' | 'depth'> {
  const base = position - (position % CHUNK_LENGTH);
  let { root, depth } = list;
  for (; base > CHUNK_LENGTH << (BITS * depth); depth++) root = root.length === 0 ? root : [root];
  if (list.tail.some((entry) => entry !== null)) root = graft(root, depth, list.base, list.tail);
  return { tail: [], base, root, depth };
}

function graft<T>(node: Chunk<T>, level: number, position: number, leaf: Chunk<T>): Chunk<T> {
  if (level === 0) return leaf;
  const slot = slotOf(position, level);
  return filled(node, slot, graft(below(node, slot) ?? [], level - 1, position, leaf));
}

function write<T>(node: Chunk<T>, level: number, position: number, entry: T): Chunk<T> {
  const slot = slotOf(position, level);
  return filled(node, slot, level === 0 ? entry : write(below(node, slot) ?? [], level - 1, position, entry));
}

function erase<T>(node: Chunk<T>, level: number, position: number): Chunk<T> | null {
  const slot = slotOf(position, level);
  const child = level === 0 ? null : below(node, slot);
  const copy = filled(node, slot, child === null ? null : erase(child, level - 1, position));
  return copy.every((entry) => entry === null) ? null : copy;
}

function filled<T>(node: readonly T[], slot: number, entry: T): T[];
function filled<T>(node: readonly (T | null)[], slot: number, entry: T | null): (T | null)[] {
  const copy = node.slice();
  while (copy.length < slot) copy.push(null);
  copy[slot] = entry;
  return copy;
}

function* leavesBelow<T>(node: Chunk<T>, level: number, base: number): Generator<[number, readonly (T | null)[]]> {
  if (level === 0) return yield [base, node as readonly (T | null)[]];
  for (const [slot, child] of node.entries()) {
    if (child !== null) yield* leavesBelow(child as Chunk<T>, level - 1, base + slot * 2 ** (BITS * level));
  }
}

function below<T>(node: Chunk<T>, slot: number): Chunk<T> | null {
  return (node[slot] as Chunk<T> | null | undefined) ?? null;
}

function slotOf(position: number, level: number): number {
  return (position >>> (BITS * level)) & (CHUNK_LENGTH - 1);
}
