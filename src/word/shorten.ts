/** At most `max` code points, the last three of them dots if something was cut; never inside a combined character. Linear in `max`. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  if (isPlain(text, max)) return `${text.slice(0, Math.max(0, max - 3))}...`;
  // Two code units per code point at most: what follows cannot matter, however long the text is.
  const points = [...text.slice(0, 2 * (max + REACH))];
  if (points.length <= max) return text;
  const end = Math.max(0, max - 3);
  const near = Math.max(0, end - REACH);
  const before = points.slice(near, end).join('');
  const after = points.slice(end, end + REACH).join('');
  return `${points.slice(0, near).join('')}${before.slice(0, lastBoundary(before, after))}...`;
}

/** The text on one line: line breaks, with the space around them, become one blank. Shortened where `max` says so. */
export const oneLine = (text: string, max = Number.POSITIVE_INFINITY): string =>
  shorten((BREAK.test(text) ? text.replace(/\s+/g, (space) => (BREAK.test(space) ? ' ' : space)) : text).trim(), max);

const BREAK = /[\t-\r\u2028\u2029]/;

/** Whether every unit up to this one is a printable character of ASCII: then each is a character by itself, and nothing has to be taken apart. */
function isPlain(text: string, last: number): boolean {
  for (let at = 0; at <= last; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

/** Code points that one combined character may have on either side of a cut; longer ones are abuse and may be broken. */
const REACH = 32;

/** Where `before` may end so that no character that goes on in `after` is broken. */
function lastBoundary(before: string, after: string): number {
  graphemes ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return graphemes.segment(before + after).containing(before.length)?.index ?? before.length;
}

/** Made on first use: it costs more than the rest of a short run. */
let graphemes: Intl.Segmenter | undefined;
