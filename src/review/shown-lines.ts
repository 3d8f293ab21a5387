/** Whether lines that somebody comments stand there as they were shown. */
import type { DifferenceHunk } from '../event/index.js';
import type { CommentPlace } from './comment.js';

/** The quoted lines follow each other in one part, and their numbers are those of the place. */
export function areShown(hunks: readonly DifferenceHunk[], { side, start, end, quote }: CommentPlace): boolean {
  return hunks.some(({ oldStart, newStart, lines }) => {
    let now = side === 'new' ? newStart : oldStart;
    const other = side === 'new' ? '-' : '+';
    const numbers = lines.map((line) => {
      const number = now;
      if (line.startsWith(other)) return undefined;
      now += 1;
      return number;
    });
    return lines.some((_, at) => {
      if (!quote.every((line, index) => lines[at + index] === line)) return false;
      const own = numbers.slice(at, at + quote.length).filter((number) => number !== undefined);
      return own[0] === start && own.at(-1) === end;
    });
  });
}
