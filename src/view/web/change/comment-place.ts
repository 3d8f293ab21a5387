/** Which lines a comment is about: those that somebody chose, and where they stand in what is shown. */
import type { CommentRecord, CommentRequest } from '../../../client/index.js';
import type { Line } from './line-row.js';

export type ChosenPlace = Pick<CommentRequest, 'side' | 'start' | 'end' | 'quote'>;

/** Anything with a place: a comment, or one that is being written. */
export type Placed = Pick<CommentRecord, 'path' | 'side' | 'start' | 'end' | 'quote'>;

const SIGNS: Record<Line['kind'], string> = { add: '+', remove: '-', same: ' ', gap: ' ' };

const quoted = ({ kind, text }: Line): string => SIGNS[kind] + text;

/** From one line to another of the same part. */
export function chosenPlace(one: Line, other: Line = one): ChosenPlace {
  const [first, last] = one.at < other.at ? [one.at, other.at] : [other.at, one.at];
  const lines = one.siblings.slice(first, last + 1);
  const side = lines.some((line) => line.new !== undefined) ? 'new' : 'old';
  const numbers = lines.flatMap((line) => line[side] ?? []);
  return { side, start: numbers[0] ?? 0, end: numbers.at(-1) ?? 0, quote: lines.map(quoted) };
}

/** Its last line. What reads otherwise is not the same line, whatever its number. */
export function isAt(line: Line, { side, end, quote }: Placed): boolean {
  const isThere = side === 'new' ? line.new === end : line.kind === 'remove' && line.old === end;
  return isThere && quoted(line).trimEnd() === (quote.at(-1) ?? '').trimEnd();
}

/** One line more above it or below it; undefined where the part ends. */
export function widened(last: Line, { quote }: ChosenPlace, by: 'above' | 'below'): ChosenPlace | undefined {
  const first = last.siblings[last.at - quote.length + 1];
  const other = last.siblings[by === 'below' ? last.at + 1 : last.at - quote.length];
  return first && other && chosenPlace(by === 'below' ? first : last, other);
}

/** "line 3", "removed lines 3 to 5". */
export function linesText({ side, start, end }: Pick<ChosenPlace, 'side' | 'start' | 'end'>): string {
  const lines = start === end ? `line ${start}` : `lines ${start} to ${end}`;
  return side === 'old' ? `removed ${lines}` : lines;
}

/** At the beginning of what is said. */
export const beginning = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
