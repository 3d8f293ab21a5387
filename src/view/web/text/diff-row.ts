/** The rows of a diff between the two texts of an edit. Loaded when the first diff is shown. */
import { structuredPatch } from 'diff';
import { drawnLine, looseRows, type Row, rowsOf, withoutGuess } from '../../../consent/index.js';

const GIVE_UP_MS = 30;

/** Without numbers: where in the file these texts stand is not known. */
export function rowsBetween(before: string, after: string): Row[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, timeout: GIVE_UP_MS });
  if (patch === undefined) return looseRows(before, after);
  const hunks = patch.hunks.map(({ lines }) => ({
    oldStart: Number.NaN,
    newStart: Number.NaN,
    lines: lines.flatMap(drawnLine),
  }));
  return rowsOf(hunks).map(withoutGuess);
}
