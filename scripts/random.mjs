// @ts-check
/** Chance that a seed decides: the same commit draws the same. */
import { createHash } from 'node:crypto';

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {number} count
 * @param {string} seed
 * @returns {Item[]} that many of them, in their order
 */
export function draw(items, count, seed) {
  const drawn = new Set(shuffled([...items.keys()], seed).slice(0, count));
  return items.filter((_, index) => drawn.has(index));
}

/**
 * @template Item
 * @param {readonly Item[]} items
 * @param {string} seed
 * @returns {Item[]}
 */
export function shuffled(items, seed) {
  const ticket = (/** @type {number} */ index) => createHash('sha256').update(`${seed} ${index}`).digest('hex');
  return items
    .map((item, index) => ({ item, ticket: ticket(index) }))
    .sort((a, b) => (a.ticket < b.ticket ? -1 : 1))
    .map(({ item }) => item);
}
