/**
 * Hides in the lines of a difference what is a secret in the whole file: the lines of a key say nothing by themselves, so a
 * guard that sees them one by one would let them pass.
 */
import type { DifferenceHunk } from '../event/index.js';
import type { FileTexts } from './difference.js';
import { hidesText } from './hides-words.js';
import { readLines } from './text-lines.js';

export type Redact = (text: string) => string;

const HIDDEN = '[redacted]';

export function maskLines(hunks: DifferenceHunk[], { before = '', after = '' }: FileTexts, redact: Redact) {
  const [old, now] = [redact(before), redact(after)];
  if (old === before && now === after) return hunks;
  const shown = { old: linesIn(old), now: linesIn(now) };
  const isShown = (sign: string, text: string) =>
    (sign === '+' || shown.old.has(text)) && (sign === '-' || shown.now.has(text));
  const mask = (line: string): string => {
    const [sign, text] = [line.charAt(0), line.slice(1)];
    if (isShown(sign, text)) return line;
    const masked = redact(text);
    return sign + (masked !== text && isShown(sign, masked) ? masked : HIDDEN);
  };
  return hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(mask) }));
}

/** Whether lines are added that nobody can read; what goes or stays is in the file for everybody who wants to look. */
export function hidesAdded(hunks: readonly DifferenceHunk[], masked: readonly DifferenceHunk[]): boolean {
  return hunks.some(({ lines }, hunk) =>
    lines.some((line, index) => {
      const shown = masked[hunk]?.lines[index] ?? '';
      if (!line.startsWith('+') || shown === line) return false;
      // What is a secret only by what stands around it may be anything.
      return shown === `+${HIDDEN}` || hidesText(line, shown);
    }),
  );
}

function linesIn(text: string): ReadonlySet<string> {
  return new Set(readLines(text).lines);
}
