/** A row of looks and letters, exactly so wide: what is too long is cut, what is too short is filled, and every look that began ends. */
import stringWidth from 'fast-string-width';
import { graphemes } from '../text/graphemes.js';

// biome-ignore lint/suspicious/noControlCharactersInRegex: looks begin with one
const LOOKS = /(\u001b\[[\d;]*m)/;
const TAB = '    ';

/** Most rows of a picture are those of the one before. */
const known = new Map<string, { width: number; whole: string }>();
const MOST_KNOWN = 1000;

export function fitToWidth(row: string, width: number): string {
  // It stands in every panel, each of its own width.
  if (row === '') return ' '.repeat(Math.max(0, width));
  const before = known.get(row);
  if (before?.width === width) return before.whole;
  const whole = fitted(row, width);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(row, { width, whole });
  return whole;
}

function fitted(row: string, width: number): string {
  if (width <= 0) return '';
  const line = row.includes('\t') ? row.replaceAll('\t', TAB) : row;
  const used = stringWidth(line);
  return used <= width ? line + ' '.repeat(width - used) : cut(line, width);
}

function cut(line: string, width: number): string {
  let shown = '';
  let used = 0;
  let isFull = false;
  line.split(LOOKS).forEach((piece, index) => {
    // Every second one is a look; those behind the cut only end what began before it.
    if (index % 2 === 1) shown += piece;
    else
      for (const segment of isFull ? [] : graphemes(piece)) {
        const columns = stringWidth(segment);
        if (used + columns > width - 1) {
          isFull = true;
          shown += `…${' '.repeat(width - 1 - used)}`;
          used = width;
          return;
        }
        shown += segment;
        used += columns;
      }
  });
  return shown;
}
