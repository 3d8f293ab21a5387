import { expect, test } from 'vitest';
import { createRecent, createRecentMap } from '../../src/agent/recent.js';

test('the latest entries are remembered, and not all that ever were', () => {
  const recent = createRecent(10);
  for (let n = 0; n < 100; n += 1) recent.add(`k${n}`);
  expect(Array.from({ length: 10 }, (_, n) => recent.has(`k${99 - n}`))).toEqual(Array(10).fill(true));
  expect(recent.has('k0')).toBe(false);
});

test('the latest value of a key counts', () => {
  const recent = createRecentMap<number>(2);
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    recent.set(key, value);
  expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([3, 2, undefined]);
});
