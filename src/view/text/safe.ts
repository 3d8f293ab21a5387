/**
 * The terminal filter (decision 13): whatever an agent, a model or a file says, nothing printed can move the cursor, change a
 * title, reach the clipboard, hide or reorder text.
 */
import stripAnsi from 'strip-ansi';

/**
 * C0 without tab and newline, DEL, C1; marks that reorder or hide text (bidi, deprecated format, annotation, BOM); the two
 * halves of a broken surrogate pair; tag characters, which are invisible.
 */
const HOSTILE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what has to go
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e007f}]/gu;

/** Text without escape sequences; what could still harm becomes U+FFFD. Keeps newlines and tabs. Linear in its length. */
export function safe(text: string): string {
  return stripAnsi(text).replace(/\r\n?/g, '\n').replace(HOSTILE, '\ufffd');
}

/** JSON that means the same, with every hostile character written as an escape: safe on a terminal, and nothing is lost. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(HOSTILE, escaped);
}

/** The same on one line: every run of whitespace is one space, and it is at most `max` code points long. */
export function safeLine(value: unknown, max = 1000): string {
  return cut(safe(head(value, max)).replace(/\s+/g, ' ').trim(), max);
}

/** S1-31: how much of a text is printed. */
export const LINE = 80;

/** The first line that says something, at most `max` code points long; empty when there is none. */
export function safeFirstLine(value: unknown, max: number): string {
  const lines = safe(head(value, max)).split('\n');
  return cut(lines.find((line) => line.trim() !== '')?.trimEnd() ?? '', max);
}

/** Template tag for our own sentences: every value put into one is filtered by itself, so that none can swallow its neighbours. */
export function sentence(parts: TemplateStringsArray, ...values: unknown[]): string {
  const filled = values.map((value) => (typeof value === 'number' ? String(value) : safeLine(value, 300)));
  return parts.map((part, index) => part + (filled[index] ?? '')).join('');
}

/** The word for a value of a closed set; empty for one that is not in it, whatever a hand-edited file says. */
export function wordOf(words: Readonly<Record<string, string>>, value: unknown): string {
  return typeof value === 'string' && Object.hasOwn(words, value) ? (words[value] ?? '') : '';
}

/** at most `max` code points, the last three of them dots if something was cut; never inside a combined character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const points = [...text];
  if (points.length <= max) return text;
  const end = max - 3;
  const near = Math.max(0, end - REACH);
  const before = points.slice(near, end).join('');
  const after = points.slice(end, end + REACH).join('');
  return `${points.slice(0, near).join('')}${before.slice(0, lastBoundary(before, after))}...`;
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

/**
 * A display needs little of a field that may hold a megabyte, and filtering costs by length. Colour codes take room, so the
 * head is much longer than what will be shown. A value of a wrong type (a hand-edited file) shows as nothing.
 */
function head(value: unknown, max: number): string {
  return typeof value === 'string' ? value.trimStart().slice(0, 8 * max + 1024) : '';
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}
