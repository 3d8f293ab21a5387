/** The hunks between two lists of lines, each with three lines around it. Bounded work: what differs too much is one block. */
import { diffArrays } from 'diff';
import type { DifferenceHunk } from '../event/index.js';

const CONTEXT = 3;
/** Steps of the comparison that it may take; a line more or less is one edit. */
const MOST_STEPS = 20_000_000;
const MOST_EDITS = 1000;

export function hunksBetween(
  before: readonly string[],
  after: readonly string[],
  mostEdits = MOST_EDITS,
): DifferenceHunk[] {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < most - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  if (removed.length === 0 && added.length === 0) return [];
  return hunksOf(before, changesBetween(removed, added, start, mostEdits));
}

/** Lines that are taken out and put in, at a line of the old text that counts from 0. */
interface Change {
  at: number;
  removed: string[];
  added: string[];
}

/** `at`: where `before` begins in the whole old text. */
function changesBetween(before: string[], after: string[], at: number, mostEdits: number): Change[] {
  const number = createNumbering();
  const [old, now] = [before.map(number), after.map(number)];
  const maxEditLength = Math.min(mostEdits, Math.floor(MOST_STEPS / (old.length + now.length)));
  const found = diffArrays(old, now, { maxEditLength });
  if (found === undefined) return [{ at, removed: before, added: after }];
  const changes: Change[] = [];
  let [from, to] = [0, 0];
  let isOpen = false;
  for (const { added, removed, count } of found) {
    const isChange = added || removed;
    if (isChange && !isOpen) changes.push({ at: at + from, removed: [], added: [] });
    isOpen = isChange;
    const change = changes.at(-1);
    if (change && removed) change.removed = change.removed.concat(before.slice(from, from + count));
    if (change && added) change.added = change.added.concat(after.slice(to, to + count));
    if (!added) from += count;
    if (!removed) to += count;
  }
  return changes;
}

/** Numbers are compared in one step, however long the lines are. */
function createNumbering(): (line: string) => number {
  const numbers = new Map<string, number>();
  return (line) => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
}

/** Changes whose surroundings touch are in one hunk. */
function hunksOf(before: readonly string[], changes: readonly Change[]): DifferenceHunk[] {
  const hunks: DifferenceHunk[] = [];
  /** Up to where the old text is told, and by how many lines the new one is longer until there. */
  let [told, shift] = [0, 0];
  for (const [index, { at, removed, added }] of changes.entries()) {
    const begin = Math.max(0, at - CONTEXT);
    let hunk = hunks.at(-1);
    if (!hunk || begin > told) {
      hunk = { oldStart: begin + 1, newStart: begin + 1 + shift, lines: [] };
      hunks.push(hunk);
      told = begin;
    }
    const { lines } = hunk;
    for (const line of before.slice(told, at)) lines.push(` ${line}`);
    for (const line of removed) lines.push(`-${line}`);
    for (const line of added) lines.push(`+${line}`);
    const end = at + removed.length;
    told = Math.min(end + CONTEXT, changes[index + 1]?.at ?? before.length);
    for (const line of before.slice(end, told)) lines.push(` ${line}`);
    shift += added.length - removed.length;
  }
  return hunks;
}
