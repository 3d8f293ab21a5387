/** The rows of a diff between the two texts of an edit. Loaded when the first diff is shown. */
import { hunksBetween, looseRows, type Row, rowsOf, withoutGuess } from '../../../consent/index.js';

/** Counted, not timed, so that a busy machine shows the same; so many are found in a fraction of a frame's budget. */
const MOST_EDITS = 400;

/** Without numbers: where in the file these texts stand is not known. */
export function rowsBetween(before: string, after: string): Row[] {
  const hunks = hunksBetween(linesOf(before), linesOf(after), MOST_EDITS);
  // They may differ in how they end alone.
  if (hunks.length === 0 && before !== after) return looseRows(before, after);
  return rowsOf(hunks.map(({ lines }) => ({ lines, oldStart: Number.NaN, newStart: Number.NaN }))).map(withoutGuess);
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
