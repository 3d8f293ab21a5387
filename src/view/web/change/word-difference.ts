/** Which words of two lines differ: ranges of characters in each. */
import { diffWordsWithSpace } from 'diff';

export type Range = readonly [from: number, to: number];

export interface WordDifference {
  removed: Range[];
  added: Range[];
}

/** Longer lines, and such that hardly have a word in common, are different as a whole. */
const MOST_CHARACTERS = 400;
const MOST_EDITS = 60;
const LEAST_SHARED = 0.3;

export function wordDifference(before: string, after: string): WordDifference | undefined {
  if (before.length > MOST_CHARACTERS || after.length > MOST_CHARACTERS) return undefined;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
  if (changes === undefined) return undefined;
  const result: WordDifference = { removed: [], added: [] };
  let [old, now, shared] = [0, 0, 0];
  for (const { value, added, removed } of changes) {
    if (added) {
      result.added.push([now, now + value.length]);
      now += value.length;
    } else if (removed) {
      result.removed.push([old, old + value.length]);
      old += value.length;
    } else {
      shared += value.trim().length;
      old += value.length;
      now += value.length;
    }
  }
  return shared < LEAST_SHARED * Math.min(before.trim().length, after.trim().length) ? undefined : result;
}
