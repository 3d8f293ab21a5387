/** A line → rows of the terminal: prefix, indentation of sub-agents, and breaks at spaces where the terminal is narrow. */
import stringWidth from 'fast-string-width';
import type { Paint, Style } from './palette.js';

/** A part of a line that has one look. */
export type Piece = readonly [style: Style, text: string];

export interface Layout {
  name: string;
  depth: number;
  width: number | undefined;
  paint: Paint;
}

/** Below this many columns for the words themselves breaking makes it worse. */
const LEAST_ROOM = 16;
const DEEPEST = 6;

export function layOut(line: readonly Piece[], { name, depth, width, paint }: Layout): string[] {
  const prefix = `[${name}] `;
  const indent = '  '.repeat(Math.min(Math.max(depth || 0, 0), DEEPEST));
  const margin = stringWidth(prefix) + indent.length;
  const room = width === undefined ? Number.POSITIVE_INFINITY : width - margin;
  const first = `${paint('prefix', `[${name}]`)} ${indent}`;
  const rest = ' '.repeat(margin + hanging(line));
  return breakRows(line, room, hanging(line)).map(
    (row, index) => (index === 0 ? first : rest) + row.map(([style, text]) => paint(style, text)).join(''),
  );
}

/** Continuation rows begin under the first word, also where the line itself is indented. */
function hanging([piece]: readonly Piece[]): number {
  return piece ? piece[1].length - piece[1].trimStart().length : 0;
}

/** A word that is wider than a row stays whole: the terminal wraps it, and it can still be copied. */
function breakRows(line: readonly Piece[], room: number, hang: number): [Style, string][][] {
  if (room < LEAST_ROOM || stringWidth(line.map(([, text]) => text).join('')) <= room)
    return [line.map((piece) => [...piece])];
  const rows: [Style, string][][] = [[]];
  let used = 0;
  for (const [style, text] of line) {
    for (const word of text.match(/^ +|[^ ]+ */g) ?? []) {
      const size = stringWidth(word.trimEnd());
      if (used + size > room && used > hang) {
        rows.push([]);
        used = hang;
      }
      const row = rows.at(-1) ?? [];
      const last = row.at(-1);
      if (last?.[0] === style) last[1] += word;
      else row.push([style, word]);
      used += stringWidth(word);
    }
  }
  return rows.map((row) =>
    row.map(([style, text], index) => [style, index === row.length - 1 ? text.trimEnd() : text]),
  );
}
