/** A line as the pieces that are drawn: coloured, with the words that differ marked. Made once, and kept. */
import { prepareLanguage, type Token, tokenLines } from './code-token.js';
import type { Line, Piece } from './line-row.js';
import { type Range, type WordDifference, wordDifference } from './word-difference.js';

export interface DrawnPiece extends Token {
  isChanged: boolean;
}

const drawn = new WeakMap<Line, DrawnPiece[]>();
const coloured = new WeakMap<Piece, Token[][] | null>();
const compared = new WeakMap<Line, WordDifference | null>();

/** The rest of the work at it is little. */
export function isColoured({ piece }: Line): boolean {
  return coloured.has(piece);
}

/** True when something was to be done. */
export function prepareColours({ piece }: Line): boolean {
  return !coloured.has(piece) && prepareLanguage(piece.path);
}

export function makePieces(line: Line): readonly DrawnPiece[] {
  const known = drawn.get(line);
  if (known) return known;
  const tokens = coloursOf(line.piece)?.[line.index];
  // What the colouring did not give back letter by letter is not believed.
  const isSame = tokens?.map(({ text }) => text).join('') === line.text;
  const pieces = withRanges(isSame && tokens ? tokens : [{ text: line.text }], changedIn(line));
  drawn.set(line, pieces);
  return pieces;
}

function coloursOf(piece: Piece): Token[][] | undefined {
  const known = coloured.get(piece);
  if (known !== undefined) return known ?? undefined;
  const found = tokenLines(piece.lines, piece.path);
  coloured.set(piece, found ?? null);
  return found;
}

function changedIn(line: Line): readonly Range[] {
  const { partner, kind } = line;
  if (!partner) return [];
  const [removed, added] = kind === 'remove' ? [line, partner] : [partner, line];
  let found = compared.get(removed);
  if (found === undefined) {
    found = wordDifference(removed.text, added.text) ?? null;
    compared.set(removed, found);
  }
  return (kind === 'remove' ? found?.removed : found?.added) ?? [];
}

function withRanges(tokens: readonly Token[], ranges: readonly Range[]): DrawnPiece[] {
  if (ranges.length === 0) return tokens.map((token) => ({ ...token, isChanged: false }));
  const pieces: DrawnPiece[] = [];
  let at = 0;
  for (const { text, look } of tokens) {
    const end = at + text.length;
    const cuts = new Set([at, end]);
    for (const range of ranges) for (const place of range) if (place > at && place < end) cuts.add(place);
    const places = [...cuts].sort((one, other) => one - other);
    for (const [index, from] of places.slice(0, -1).entries()) {
      const to = places[index + 1] ?? end;
      const isChanged = ranges.some(([begin, last]) => from >= begin && to <= last);
      pieces.push({ text: text.slice(from - at, to - at), isChanged, ...(look && { look }) });
    }
    at = end;
  }
  return pieces;
}
