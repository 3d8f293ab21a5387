/** Pieces of text with their looks, and rows made of them. Without colour only the letters are left. */
import { wrap } from '../text/wrap.js';

export type Look = 'bold' | 'italic' | 'underline' | 'strike' | 'dim' | 'accent' | 'good' | 'bad' | 'warning';

/** What is read is no wider, however wide the terminal is: eyes lose the line. Code and tables are as wide as they are. */
export const MEASURE = 120;

export interface Piece {
  readonly text: string;
  readonly looks: readonly Look[];
}

const CODES: Record<Look, readonly [open: number, close: number]> = {
  bold: [1, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  dim: [2, 22],
  accent: [36, 39],
  good: [32, 39],
  bad: [31, 39],
  warning: [33, 39],
};

export function styled(text: string, looks: readonly Look[], color: boolean): string {
  if (!color || text === '' || looks.length === 0) return text;
  const codes = looks.map((look) => CODES[look]);
  const code = (side: 0 | 1) => `\x1b[${codes.map((pair) => pair[side]).join(';')}m`;
  return `${code(0)}${text}${code(1)}`;
}

/** One line of pieces as rows that fit, each with its looks; breaks in the text are breaks of rows. */
export function rowsOf(pieces: readonly Piece[], width: number, color: boolean): string[] {
  const plain = pieces.map(({ text }) => text).join('');
  const rows: string[] = [];
  let at = 0;
  for (const line of plain.split('\n')) {
    for (const row of wrap(line, width)) {
      rows.push(drawn(pieces, at, at + row.trimEnd().length, color));
      at += row.length;
    }
    at += 1;
  }
  return rows;
}

function drawn(pieces: readonly Piece[], from: number, to: number, color: boolean): string {
  let begin = 0;
  let row = '';
  for (const { text, looks } of pieces) {
    const part = text.slice(Math.max(0, from - begin), Math.max(0, to - begin));
    row += styled(part, looks, color);
    begin += text.length;
    if (begin >= to) break;
  }
  return row;
}
