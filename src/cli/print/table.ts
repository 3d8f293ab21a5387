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
