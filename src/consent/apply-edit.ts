/** What one edit makes of a file's text, or why that cannot be told. */
import type { Edit, TextPart } from '../event/index.js';
import { valueAt } from '../event/index.js';
import { applyHunks } from './apply-hunks.js';
import { findPart } from './find-part.js';
import { BYTE_ORDER_MARK } from './text-lines.js';

/** The new text, absent for a file that is gone; or a sentence about what does not fit. */
export type Applied = { text: string | undefined } | { problem: string };

/** `text` is absent for a file that does not exist. */
export function applyEdit(text: string | undefined, edit: Edit, input: unknown): Applied {
  const [before, after, diff] = [edit.before, edit.after, edit.diff].map((part) => textOf(part, input));
  switch (edit.kind) {
    case 'delete':
      return { text: undefined };
    case 'write':
      return after === undefined ? UNTOLD : { text: after };
    case 'replace':
      return before === undefined || after === undefined ? UNTOLD : replace(text, before, after, edit.all ?? false);
    case 'patch':
      return diff === undefined ? UNTOLD : patch(text, diff);
    case 'move':
      return diff === undefined ? { text } : patch(text, diff);
  }
}

/** The text that an edit points to or carries. */
export function textOf(part: TextPart | undefined, input: unknown): string | undefined {
  if (part === undefined) return undefined;
  const value = 'text' in part ? part.text : valueAt(input, part.at);
  return typeof value === 'string' ? value : undefined;
}

const UNTOLD: Applied = { problem: 'the agent does not tell what it would write' };
const NO_FILE: Applied = { problem: 'the file does not exist' };

function replace(text: string | undefined, before: string, after: string, all: boolean): Applied {
  // Without an old text it is a new file that is written.
  if (before === '') {
    return text === undefined || text === '' ? { text: after } : { problem: 'it does not tell which text is replaced' };
  }
  if (text === undefined) return NO_FILE;
  const places = findPart(text, before, all ? Number.POSITIVE_INFINITY : 2);
  const [first] = places;
  if (first === undefined) return replaceAcrossEndings(text, before, after, all);
  if (places.length > 1 && !all) {
    return { problem: 'the text that is replaced stands in the file more than once' };
  }
  const pieces: string[] = [];
  let from = 0;
  for (const place of places) {
    pieces.push(text.slice(from, place), after);
    from = place + before.length;
  }
  return { text: pieces.join('') + text.slice(from) };
}

/** Agents read CRLF as LF and write it back as it was. */
function replaceAcrossEndings(text: string, before: string, after: string, all: boolean): Applied {
  if (!text.includes('\r\n') || !before.includes('\n') || before.includes('\r')) {
    return { problem: 'the text that is replaced does not stand in the file' };
  }
  return replace(text, toCrlf(before), toCrlf(after.replaceAll('\r\n', '\n')), all);
}

function patch(text: string | undefined, diff: string): Applied {
  if (text === undefined) return NO_FILE;
  const hasMark = text.startsWith(BYTE_ORDER_MARK);
  const isCrlf = text.includes('\r\n');
  const plain = (hasMark ? text.slice(1) : text).replaceAll('\r\n', '\n');
  const patched = applyHunks(plain, diff.replaceAll('\r\n', '\n'));
  if (patched === undefined) return { problem: 'the patch does not fit the file' };
  return { text: (hasMark ? BYTE_ORDER_MARK : '') + (isCrlf ? toCrlf(patched) : patched) };
}

function toCrlf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}
