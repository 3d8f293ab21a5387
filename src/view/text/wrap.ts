/** Lines → rows that fit the terminal, so that nothing runs out of sight and every row can be counted: broken between words, long words anywhere. */
import stringWidth from 'fast-string-width';
import { graphemes } from './graphemes.js';

const TAB = 8;
const LEAST_ROOM = 8;

/** Rows of at most `width` columns, which together are the line; an empty line is one row. Linear in the length of the line. */
export function wrap(line: string, width: number): string[] {
  const room = Math.max(LEAST_ROOM, width);
  if (PLAIN.test(line)) return wrapPlain(line, room);
  const rows: string[] = [];
  let row = '';
  let used = 0;
  /** Where the last word of the row begins, and how much is used up to there; at its start nothing is gained by a break. */
  let word = { at: 0, used: 0 };
  for (const segment of graphemes(line)) {
    const columns = segment.length === 1 && PLAIN.test(segment) ? 1 : segment === '\t' ? TAB : stringWidth(segment);
    while (used + columns > room && row !== '') {
      const end = row.slice(0, word.at).trim() !== '' ? word : { at: row.length, used };
      rows.push(row.slice(0, end.at));
      row = row.slice(end.at);
      used -= end.used;
      word = { at: 0, used: 0 };
    }
    row += segment;
    used += columns;
    if (segment === ' ') word = { at: row.length, used };
  }
  return [...rows, row];
}

/** Most lines: every letter takes a column, so nothing has to be measured. */
function wrapPlain(line: string, room: number): string[] {
  const rows: string[] = [];
  let at = 0;
  while (line.length - at > room) {
    const row = line.slice(at, at + room);
    const words = row.slice(0, row.lastIndexOf(' ') + 1);
    rows.push(words.trim() === '' ? row : words);
    at += rows.at(-1)?.length ?? room;
  }
  rows.push(line.slice(at));
  return rows;
}

const PLAIN = /^[\x20-\x7e]*$/;
