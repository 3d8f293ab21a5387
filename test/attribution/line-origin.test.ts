import { expect, test } from 'vitest';
import { originsOf } from '../../src/attribution/line-origin.js';

/** Letters are lines; the result has for each new line the places that it may come from, `+` for new. */
const shown = (before: string, after: string) =>
  originsOf([...before], [...after])
    .map((origin) => origin.map((place) => (place < 0 ? '+' : place)).join(''))
    .join(' ');

test.each<[before: string, after: string, origins: string]>([
  ['abc', 'abc', '0 1 2'],
  ['abc', 'aXc', '0 + 2'],
  ['abc', '', ''],
  ['', 'ab', '+ +'],
  // A line that stands once in both is the same one, wherever it is.
  ['abc', 'cab', '2 0 1'],
  // Brackets between lines that are certain.
  ['a}b}', 'a}b}', '0 1 2 3'],
  ['a}b}', 'a}Xb}', '0 1 + 2 3'],
  ['a}b}', 'a}b}X}', '0 1 2 +3 + +3'],
  // The same bracket twice: nobody can tell which one is new.
  ['a}b', 'a}X}b', '0 +1 + +1 2'],
  ['a}}b', 'a}b', '0 12 3'],
  // A copy of a line elsewhere, and one of which nobody can tell which is the copy.
  ['abc', 'abca', '0 1 2 +'],
  ['abc', 'Xaac', '+ +0 +0 2'],
])('%s → %s: %s', (before, after, origins) => {
  expect(shown(before, after)).toBe(origins);
});

test('what is known to be the same at either end settles what the letters cannot', () => {
  expect(originsOf([...'a}b'], [...'a}X}b'], 2, 1)).toEqual([[0], [1], [-1], [-1], [2]]);
});
