/** Requests of a page are heard once, in any order that a network may bring them, and none that is older than can be told apart. */
import { expect, test } from 'vitest';
import { createHeardRequests } from '../../src/server/heard-requests.js';

const WINDOW = 1024;

function open() {
  const pages = createHeardRequests();
  return (count: number, key = 'page') => pages.hear(key, '', count);
}

test('each once, also when they overtake each other', () => {
  const hear = open();
  expect([3, 1, 2, 3, 1, 2].map((count) => hear(count))).toEqual([true, true, true, false, false, false]);
});

test('what is a whole window behind counts as heard, what is less is not', () => {
  const hear = open();
  expect(hear(WINDOW + 5)).toBe(true);
  expect([4, 5, 6].map((count) => hear(count))).toEqual([false, false, true]);
});

test('what is forgotten to save memory is still not heard again', () => {
  const hear = open();
  for (let count = 1; count <= 3 * WINDOW; count += 1) expect(hear(count)).toBe(true);
  for (let count = 1; count <= 3 * WINDOW; count += 1) expect(hear(count)).toBe(false);
});

test('pages count for themselves', () => {
  const hear = open();
  expect([hear(1, 'a'), hear(1, 'b'), hear(1, 'a')]).toEqual([true, true, false]);
});
