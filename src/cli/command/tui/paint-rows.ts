/** The bytes that turn the rows of a screen into others: only those that differ are written, each to its end, and nothing is ever erased. */

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
/** A row that the terminal takes for wider than we do is cut, and does not push the others down. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';

/** Empty when nothing changes. `before` has none where nobody knows what stands there. */
export function paintRows(before: readonly string[], after: readonly string[]): string {
  const changed = after.map((row, index) => (row === before[index] ? '' : `\x1b[${index + 1};1H${row}`)).join('');
  return changed === '' ? '' : `${BEGIN}${NO_WRAP}${changed}${WRAP}${END}`;
}
