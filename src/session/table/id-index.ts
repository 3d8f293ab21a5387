/**
 * From an id to a number, never changed in place: finding and adding cost O(log n) and copy a few short arrays.
 *
 * A leaf is a flat array of ids and numbers (`['a', 0, 'b', 1]`); one that grows over its limit becomes sixteen nodes by
 * the next four bits of the ids' hashes. No object is keyed by an id, so `__proto__` is an id like any other.
 */
export type IdIndex = Leaf | Branch;

type Leaf = readonly (string | number)[];
type Branch = readonly IdIndex[];

const BITS = 4;
const FAN_OUT = 1 << BITS;
const HASH_BITS = 32;
const LEAF_LIMIT = 16;

export const emptyIndex: IdIndex = [];

export function numberOf(index: IdIndex, id: string): number | undefined {
  let node = index;
  for (let hash = hashOf(id); isBranch(node); hash >>>= BITS) node = node[hash & (FAN_OUT - 1)] ?? emptyIndex;
  return lookUp(node, id);
}

/** Adds an id, or gives it another number. */
export function withId(index: IdIndex, id: string, value: number): IdIndex {
  return insert(index, id, value, hashOf(id), 0);
}

function insert(node: IdIndex, id: string, value: number, hash: number, used: number): IdIndex {
  if (isBranch(node)) {
    const copy = node.slice();
    const slot = (hash >>> used) & (FAN_OUT - 1);
    copy[slot] = insert(node[slot] ?? emptyIndex, id, value, hash, used + BITS);
    return copy;
  }
  const at = node.indexOf(id);
  if (at >= 0) return node.with(at + 1, value);
  const leaf = [...node, id, value];
  // With all bits used the ids' hashes are equal: a longer leaf is all that is left.
  return leaf.length > LEAF_LIMIT * 2 && used < HASH_BITS ? split(leaf, used) : leaf;
}

function split(leaf: Leaf, used: number): IdIndex {
  const leaves: (string | number)[][] = Array.from({ length: FAN_OUT }, () => []);
  for (let at = 0; at < leaf.length; at += 2) {
    const id = String(leaf[at]);
    leaves[(hashOf(id) >>> used) & (FAN_OUT - 1)]?.push(id, Number(leaf[at + 1]));
  }
  return leaves;
}

function lookUp(leaf: Leaf, id: string): number | undefined {
  const at = leaf.indexOf(id);
  return at < 0 ? undefined : Number(leaf[at + 1]);
}

function isBranch(node: IdIndex): node is Branch {
  return typeof node[0] === 'object';
}

/** FNV-1a with a last stir, because the trie reads the low bits first and ids differ most at their end. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}
