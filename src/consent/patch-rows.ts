/** The rows of hunks that an agent gave. */
import { type Row, rowsOf } from './row.js';

/** With the numbers that lines have in the file, where the hunks say them. */
export function rowsOfPatch(patch: string): Row[] {
  // Only hunks are shown: a removed `-- note` looks like the name of a file in front of them.
  const lines = patch.slice(Math.max(0, patch.search(/^@@ /m))).split('\n');
  if (lines.at(-1) === '') lines.pop();
  const hunks = [{ oldStart: Number.NaN, newStart: Number.NaN, lines: [] as string[] }];
  for (const line of lines) {
    if (!line.startsWith('@@')) hunks.at(-1)?.lines.push(...drawnLine(line));
    else {
      const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? [];
      hunks.push({ oldStart: Number(oldStart), newStart: Number(newStart), lines: [] });
    }
  }
  return rowsOf(hunks.filter((hunk) => hunk.lines.length > 0)).map(withoutGuess);
}

/** Every line begins with its sign; that the last one has no end is no line. */
function drawnLine(line: string): string[] {
  if (line.startsWith('\\')) return [];
  return [/^[-+ ]/.test(line) ? line : ` ${line}`];
}

/** Some hunks name their place by words, or not at all. */
export function withoutGuess({ old, new: after, ...row }: Row): Row {
  return { ...row, ...(isPlace(old) && { old }), ...(isPlace(after) && { new: after }) };
}

const isPlace = (number: number | undefined): number is number => number !== undefined && !Number.isNaN(number);
