/** What somebody types: a text, also of several lines, and where the cursor stands in it. Pure. */
import type { Key } from './key.js';

export interface InputLine {
  readonly text: string;
  /** Behind so many characters, as JavaScript counts them. */
  readonly cursor: number;
}

export const EMPTY_LINE: InputLine = { text: '', cursor: 0 };

export const lineOf = (text: string): InputLine => ({ text, cursor: text.length });

/** The line after a key that edits it; undefined when the key does something else. */
export function editLine(line: InputLine, key: Key): InputLine | undefined {
  const { text, cursor } = line;
  switch (key.name) {
    case 'text':
    case 'paste':
      return insert(line, key.text);
    case 'newline':
      return insert(line, '\n');
    case 'backspace':
      return cut(line, before(text, cursor), cursor);
    case 'delete':
      return cut(line, cursor, after(text, cursor));
    case 'left':
    case 'ctrl-b':
      return { text, cursor: before(text, cursor) };
    case 'right':
    case 'ctrl-f':
      return { text, cursor: after(text, cursor) };
    case 'home':
    case 'ctrl-a':
      return { text, cursor: text.lastIndexOf('\n', cursor - 1) + 1 };
    case 'end':
    case 'ctrl-e':
      return { text, cursor: endOfRow(text, cursor) };
    case 'ctrl-u':
      return cut(line, 0, cursor);
    case 'ctrl-k':
      return cut(line, cursor, endOfRow(text, cursor));
    case 'ctrl-w':
      return cut(line, wordBefore(text, cursor), cursor);
    default:
      return undefined;
  }
}

/** The beginning of a file's name that is typed after an `@`, up to the cursor; undefined when none is. */
export function mentionAt({ text, cursor }: InputLine): string | undefined {
  const word = text.slice(wordStart(text, cursor), cursor);
  return word.startsWith('@') ? word.slice(1) : undefined;
}

/** The line with the name in place of its beginning. */
export function mention(line: InputLine, name: string): InputLine {
  const begun = mentionAt(line) ?? '';
  return insert(cut(line, line.cursor - begun.length, line.cursor), `${name} `);
}

function insert({ text, cursor }: InputLine, more: string): InputLine {
  return { text: text.slice(0, cursor) + more + text.slice(cursor), cursor: cursor + more.length };
}

function cut({ text }: InputLine, from: number, to: number): InputLine {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

function endOfRow(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

/** Made on first use: who is asked nothing does not wait for the words of a language. */
let segmenter: Intl.Segmenter | undefined;
const segmentsOf = (text: string) => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
};
/** What stands in one place of a terminal is not longer. */
const NEAR = 64;

/** Where what stands before the cursor begins. */
function before(text: string, cursor: number): number {
  const from = Math.max(0, cursor - NEAR);
  const last = [...segmentsOf(text.slice(from, cursor))].at(-1);
  return cursor - (last?.segment.length ?? 0);
}

function after(text: string, cursor: number): number {
  const [first] = segmentsOf(text.slice(cursor, cursor + NEAR));
  return cursor + (first?.segment.length ?? 0);
}

function wordBefore(text: string, cursor: number): number {
  return wordStart(text, text.slice(0, cursor).trimEnd().length);
}

function wordStart(text: string, cursor: number): number {
  let from = cursor;
  while (from > 0 && !/\s/.test(text.charAt(from - 1))) from -= 1;
  return from;
}
