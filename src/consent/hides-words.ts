/**
 * Whether what is withheld of a command, or of a text that would be written, holds more than a word of it. A secret is one word, or stands in
 * quotes; where more than that is withheld, there may be further arguments, commands or statements that nobody has seen.
 */

/** What ends a word for a shell. */
const BREAKS = /[\s;&|<>()`]/;

/** `shown` is the command with marks in the place of what is withheld. */
export function hidesWords(command: string, shown: string): boolean {
  if (shown === command) return false;
  // Where quotes cannot be told for certain, or some are withheld, everything counts.
  const isPlain = quotesIn(command) !== quotesIn(shown) || /\$'|<</.test(command);
  return losesBreaks(command, shown, isPlain);
}

/** The same for what no shell reads: what quotes mean there is not known, so everything counts. */
export function hidesText(text: string, shown: string): boolean {
  return shown !== text && losesBreaks(text, shown, true);
}

function losesBreaks(text: string, shown: string, isPlain: boolean): boolean {
  const left = countBreaks(shown, isPlain);
  return [...countBreaks(text, isPlain)].some(([letter, count]) => count > (left.get(letter) ?? 0));
}

function quotesIn(text: string): number {
  return text.length - text.replace(/["'`]/g, '').length;
}

/** How often each of them stands outside of quotes. */
function countBreaks(text: string, isPlain: boolean): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (part: string) => {
    for (const letter of part) if (BREAKS.test(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  };
  if (isPlain) count(text);
  else for (const [part] of text.matchAll(PIECES)) if (!isInert(part)) count(part);
  return counts;
}

/** An escaped letter, a text in quotes, a comment, or any other letter. */
const PIECES = /\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"|(?<![^\s;&|()])#[^\n]*|[\s\S]/g;

/** Within double quotes a shell still runs what is substituted. */
function isInert(part: string): boolean {
  return part.length > 1 && !part.startsWith('#') && !(part.startsWith('"') && /`|\$\(/.test(part));
}
