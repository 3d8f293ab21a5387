/**
 * The bytes that turn what stands at the end of the screen into what shall stand there: rows that are final are written once and scroll
 * away, of the open ones only those that differ are written again. Nothing above them is touched and no screen is ever erased. The cursor
 * rests in an empty row below them: wherever a resize moves things, terminals keep it there.
 */
import stringWidth from 'fast-string-width';

export interface Frame {
  /** Rows to be printed for good. */
  settled: readonly string[];
  /** Rows that stand below them from now on. */
  open: readonly string[];
}

/** What stands there; `columns` when the terminal has got another width since, and has wrapped it anew. */
export interface Shown {
  rows: readonly string[];
  columns?: number | undefined;
}

const BEGIN = '\x1b[?2026h';
const END = '\x1b[?2026l';
const HIDE = '\x1b[?25l';
const SHOW = '\x1b[?25h';
/** A row that the terminal takes for wider than we do is cut, and does not push the others down. */
const NO_WRAP = '\x1b[?7l';
const WRAP = '\x1b[?7h';
const CLEAR_ROW = '\r\x1b[K';

/** Empty when nothing changes. */
export function paintFrame({ rows, columns }: Shown, { settled, open }: Frame): string {
  const isTorn = columns !== undefined && rows.length > 0;
  if (!isTorn && settled.length === 0 && isSame(rows, open)) return '';
  const body = isTorn ? redraw(rows, columns, settled, open) : repaint(rows, settled, open);
  return `${BEGIN}${open.length > 0 ? HIDE : ''}${body}${open.length > 0 ? '' : SHOW}${END}`;
}

/** What was open is wiped away, however many rows the terminal made of it. */
function redraw(rows: readonly string[], columns: number, settled: readonly string[], open: readonly string[]): string {
  const height = rows.reduce((sum, row) => sum + Math.max(1, Math.ceil(stringWidth(row) / Math.max(1, columns))), 0);
  return `${up(height)}\r\x1b[J${repaint([], settled, open)}`;
}

/** From the empty row below what stands there to the one below what will. */
function repaint(before: readonly string[], settled: readonly string[], open: readonly string[]): string {
  const after = [...settled, ...open];
  const isKept = (row: number) => settled.length === 0 && row < before.length && before[row] === after[row];
  const count = Math.max(before.length, after.length);
  let first = 0;
  while (first < count && isKept(first)) first += 1;
  let bytes = up(before.length - first);
  for (let row = first; row < count; row += 1) {
    if (!isKept(row)) bytes += drawn(row);
    bytes += row < before.length ? '\r\x1b[B' : '\r\n';
  }
  // Fewer than before: the rest is empty now.
  return `${bytes}${up(count - after.length)}\r`;

  function drawn(row: number): string {
    const text = `${CLEAR_ROW}${after[row] ?? ''}`;
    return row < settled.length ? text : `${NO_WRAP}${text}${WRAP}`;
  }
}

const up = (rows: number): string => (rows > 0 ? `\x1b[${rows}A` : '');

const isSame = (before: readonly string[], after: readonly string[]): boolean =>
  before.length === after.length && before.every((row, index) => row === after[index]);
