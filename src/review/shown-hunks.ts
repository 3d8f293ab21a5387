/** The lines of a difference as everybody may see them: without the secrets of the files, and none without end. */
import { maskLines } from '../consent/index.js';
import type { DifferenceHunk } from '../event/index.js';
import { redactText } from '../run/index.js';

/** Where a line is no longer read. */
const MOST_CHARACTERS = 2000;

/** Of a file that is not known as a whole, what is shown of it is looked through. */
export function shownHunks(
  hunks: DifferenceHunk[],
  { before, after }: { before?: string | undefined; after?: string | undefined },
): DifferenceHunk[] {
  const side = (sign: string) =>
    hunks
      .flatMap(({ lines }) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1)))
      .join('\n');
  const texts = { before: before ?? side('+'), after: after ?? side('-') };
  return maskLines(hunks, texts, redactText).map((hunk) => ({ ...hunk, lines: hunk.lines.map(shortened) }));
}

function shortened(line: string): string {
  if (line.length <= MOST_CHARACTERS) return line;
  return `${line.slice(0, MOST_CHARACTERS)}… (${line.length - MOST_CHARACTERS} more characters)`;
}
