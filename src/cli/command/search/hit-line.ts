/** A hit in its line, as wide as there is room: what was searched for is always in sight. */
import stringWidth from 'fast-string-width';
import type { Snippet } from '../../../store/index.js';
import type { Paint } from '../../../view/text/palette.js';
import { safe } from '../../../view/text/safe.js';

interface Piece {
  text: string;
  isMark: boolean;
}

/** Of the room, what may stand before the first mark of a line that does not fit. */
const BEFORE = 1 / 3;

export function hitLine(snippet: Snippet, paint: Paint, room: number): string {
  const pieces = fitted(piecesOf(snippet), Math.max(LEAST, room));
  return pieces.map(({ text, isMark }) => (isMark ? paint('notice', text) : text)).join('');
}

const LEAST = 12;

/** Each filtered by itself, so that what is filtered from one cannot shift the marks of the next. */
function piecesOf({ text, marks }: Snippet): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    pieces.push(
      { text: safe(text.slice(from, start)), isMark: false },
      { text: safe(text.slice(start, end)), isMark: true },
    );
    from = end;
  }
  return [...pieces, { text: safe(text.slice(from)), isMark: false }];
}

function fitted(pieces: readonly Piece[], room: number): Piece[] {
  if (widthOf(pieces) <= room) return [...pieces];
  const [first, mark, ...others] = pieces;
  const head =
    first && mark && widthOf([first, mark]) > room - 1 ? endOf(first.text, Math.floor(room * BEFORE)) : undefined;
  return beginning([head === undefined ? first : { text: head, isMark: false }, mark, ...others], room);
}

/** As many characters from the left as there is room for, and a mark where it was cut. */
function beginning(pieces: readonly (Piece | undefined)[], room: number): Piece[] {
  const kept: Piece[] = [];
  let left = room - 1;
  for (const piece of pieces) {
    if (!piece) continue;
    let text = '';
    for (const character of piece.text) {
      const width = stringWidth(character);
      if (width > left) return [...kept, { ...piece, text }, { text: '…', isMark: false }];
      text += character;
      left -= width;
    }
    kept.push({ ...piece, text });
  }
  return kept;
}

/** The last characters, with a mark where the text was cut. */
function endOf(text: string, room: number): string {
  let kept = '';
  for (const character of [...text].reverse()) {
    if (stringWidth(character + kept) > room - 1) break;
    kept = character + kept;
  }
  return `…${kept}`;
}

function widthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + stringWidth(text), 0);
}
