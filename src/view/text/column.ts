/**
 * Terminals do not agree how wide joined emoji and some letters are. What has to stand in a column behind them, as the border of a box, is put
 * there, wherever the terminal has come to.
 */

// Whatever lies outside of the basic plane may be newer than the terminal.
const DISPUTED = /[\u{10000}-\u{10ffff}]|\u200d|\ufe0f|\u20e3|\p{Mc}/u;

/** Where none of these is, nothing of it is: found much faster, and hardly a row has one. */
const PERHAPS = /[\u0900-\u1cff\ud800-\udfff\ua800-\uabff]|\u200d|\u20e3|\u302e|\u302f|\ufe0f/;

/** Whether terminals may take it for wider or narrower than `stringWidth` does. */
export const isDisputed = (text: string): boolean => PERHAPS.test(text) && DISPUTED.test(text);

/** To this column of the row, from 1. */
export const toColumn = (column: number): string => `\u001b[${column}G`;

/** Enough to cover what a narrower text left of the row that was there before. */
const COVER = '        ';

/** A row that becomes a part of another one, so many columns from its left edge: it goes to the columns of that one. */
export function moveColumns(row: string, by: number): string {
  return row.replace(TO_COLUMN, (_, column: string) => COVER + toColumn(Number(column) + by));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one
const TO_COLUMN = /\u001b\[(\d+)G/g;

/** With the end put into its column where that is in doubt. */
export const endingAt = (text: string, end: string, column: number): string =>
  isDisputed(text) ? text + toColumn(column) + end : text + end;
