import { applyPatch } from 'diff';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hunkOf, hunksIn } from '../../src/agent/hunk.js';

test.each([
  ['', 'a\n', '@@ -0,0 +1,1 @@\n+a\n'],
  ['a\n', '', '@@ -1,1 +0,0 @@\n-a\n'],
  ['a\nb\n', 'a\nc\n', '@@ -1,2 +1,2 @@\n a\n-b\n+c\n'],
  ['1\n2\n3\n4\n5\n', '1\n2\n3\n4\nx\n5\n', '@@ -2,4 +2,5 @@\n 2\n 3\n 4\n+x\n 5\n'],
  ['a\n', 'a\n', ''],
])('%j → %j', (before, after, hunk) => {
  expect(hunkOf(before, after)).toBe(hunk);
});

test('a hunk applies to what was before and gives what is after', () => {
  const file = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    .map((lines) => lines.map((line) => `${line}\n`).join(''));
  fc.assert(
    fc.property(file, file, (before, after) => {
      const hunk = hunkOf(before, after);
      return (hunk === '' ? before : applyPatch(before, `--- a\n+++ b\n${hunk}`)) === after;
    }),
  );
});

test.each([
  ['Index: a\n===\n--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n', '@@ -1 +1 @@\n-a\n+b\n'],
  ['@@ -1 +1 @@\n-a\n+b', '@@ -1 +1 @@\n-a\n+b'],
  ['--- a\n+++ a\n', undefined],
  [undefined, undefined],
])('the hunks in %j', (diff, hunks) => {
  expect(hunksIn(diff)).toBe(hunks);
});
