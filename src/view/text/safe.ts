/**
 * The terminal filter: whatever an agent, a model or a file says, nothing printed can move the cursor, change a
 * title, reach the clipboard, hide or reorder text.
 */
import { replaceHostile, withoutColours } from '../../event/index.js';
import { shorten } from '../../word/index.js';

/** Text in which what could harm is U+FFFD: nothing goes, so nothing is hidden. Keeps newlines and tabs. Linear in its length. */
export function safe(text: string): string {
  return replaceHostile(text.replace(/\r\n?/g, '\n'), '\ufffd');
}

/** The same for what a program printed, whose colours go. */
export function safeOutput(text: string): string {
  return safe(withoutColours(text));
}

/** JSON that means the same, with every hostile character written as an escape: safe on a terminal, and nothing is lost. */
export function safeJson(value: unknown): string {
  return replaceHostile(JSON.stringify(value), escaped);
}

/** The same on one line: every run of whitespace is one space, and it is at most `max` code points long. */
export function safeLine(value: unknown, max = 1000): string {
  return shorten(safe(head(value, max)).replace(/\s+/g, ' ').trim(), max);
}

/** The same for what a program printed, whose colours go. */
export function safeOutputLine(value: unknown, max?: number): string {
  return safeLine(typeof value === 'string' ? withoutColours(value) : '', max);
}

/** How much of a text is printed. */
export const LINE = 80;

/** The first line that says something, at most `max` code points long; empty when there is none. */
export function safeFirstLine(value: unknown, max: number): string {
  const lines = safe(head(value, max)).split('\n');
  return shorten(lines.find((line) => line.trim() !== '')?.trimEnd() ?? '', max);
}

/** Template tag for our own sentences: every value put into one is filtered by itself, so that none can swallow its neighbours. */
export function sentence(parts: TemplateStringsArray, ...values: unknown[]): string {
  const filled = values.map((value) => (typeof value === 'number' ? String(value) : safeLine(value, 300)));
  return parts.map((part, index) => part + (filled[index] ?? '')).join('');
}

/**
 * A display needs little of a field that may hold a megabyte, and filtering costs by length. Spaces that become one take room, so the
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
