/** Rows in columns, as wide as the terminal. The last column gets what the others leave, and is cut if it must be. */
import stringWidth from 'fast-string-width';
import { cutToWidth } from '../../view/text/cut-to-width.js';
import type { Paint, Style } from '../../view/text/palette.js';

/** Text that is already safe to print. */
export interface Cell {
  text: string;
  style?: Style;
  /** Numbers stand at the right of their column. */
  right?: boolean;
}

const GAP = '  ';
/** A last column that is narrower says nothing. */
const LEAST = 12;

export interface Column {
  head: string;
  right?: boolean;
  /** The lower this is, the sooner it leaves a narrow screen. */
  leaves?: number;
  /** Where it is the same for all it says nothing, and leaves before the others. */
  isSharedOften?: boolean;
}

/** The last column has room for its words before the others have any: so much, or a third. */
const ROOM_FOR_WORDS = 20;

/** A head and the rows, never wider than the screen: columns without content have no place, others leave until the last one has room. */
export function fittedTable(
  columns: readonly Column[],
  rows: readonly Cell[][],
  paint: Paint,
  width = Number.POSITIVE_INFINITY,
): string[] {
  const widths = columns.map(({ head }, column) => {
    const widest = Math.max(0, ...rows.map((row) => stringWidth(row[column]?.text ?? '')));
    return widest === 0 ? 0 : Math.max(widest, stringWidth(head));
  });
  const last = columns.length - 1;
  let shown = columns.map((_, column) => column).filter((column) => column === last || (widths[column] ?? 0) > 0);
  const before = () => shown.slice(0, -1).reduce((sum, column) => sum + (widths[column] ?? 0) + GAP.length, 0);
  const isShared = (column: number) => rows.every((row) => row[column]?.text === rows[0]?.[column]?.text);
  const rank = (column: number) => {
    const { leaves = 0, isSharedOften } = columns[column] ?? {};
    return isSharedOften && rows.length > 1 && isShared(column) ? leaves - columns.length : leaves;
  };
  const leaving = shown.filter((column) => columns[column]?.leaves !== undefined).sort((a, b) => rank(a) - rank(b));
  const words = Math.min(widths[last] ?? 0, Math.max(ROOM_FOR_WORDS, width / 3));
  for (const column of leaving) {
    if (width - before() >= words) break;
    shown = shown.filter((other) => other !== column);
  }
  const head = columns.map(({ head: text, right = false }): Cell => ({ text, style: 'quiet', right }));
  return table(
    [head, ...rows].map((row) => shown.map((column) => row[column] ?? { text: '' })),
    paint,
    width,
  );
}

export function table(rows: readonly Cell[][], paint: Paint, width = Number.POSITIVE_INFINITY): string[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column]?.text ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, own) => sum + own + GAP.length, 0);
  widths[columns - 1] = Math.min(widths[columns - 1] ?? 0, Math.max(LEAST, width - before));
  return rows.map((row) =>
    row
      .map((cell, column) => alignCell(cell, widths[column] ?? 0, paint))
      .join(GAP)
      .trimEnd(),
  );
}

function alignCell({ text, style = 'plain', right = false }: Cell, width: number, paint: Paint): string {
  const shown = cutToWidth(text, width);
  const space = ' '.repeat(Math.max(0, width - stringWidth(shown)));
  return right ? space + paint(style, shown) : paint(style, shown) + space;
}
