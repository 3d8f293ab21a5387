/**
 * The quick look that lets clean text through: false means that no rule can match, true that the rules must look.
 *
 * Nearly all text is clean, so this is what redaction costs. Every token holds a long word, every other secret stands
 * behind a `:`, a `=`, a `--` or a key block's first line; long words are found by leaping, the marks by `indexOf`.
 */
import { FLAG_HINT, LONG_WORD, SEPARATOR_HINTS, TOKEN_RULES } from './rules.js';

export function isSuspect(text: string): boolean {
  return (
    text.length > 7 &&
    (hasSuspectAt(text, ':', SEPARATOR) ||
      hasSuspectAt(text, '=', SEPARATOR) ||
      hasSuspectWord(text) ||
      hasSuspectAt(text, '--', FLAG))
  );
}

const SEPARATOR = new RegExp(SEPARATOR_HINTS.join('|'), 'y');
const FLAG = new RegExp(`${FLAG_HINT}|-----BEGIN`, 'y');

function hasSuspectAt(text: string, mark: string, hint: RegExp): boolean {
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    hint.lastIndex = at;
    if (hint.test(text)) return true;
  }
  return false;
}

/** Leaps from one possible end of a long word to the next, so that short words are hardly looked at. */
function hasSuspectWord(text: string): boolean {
  let start = 0;
  for (let end = LONG_WORD - 1; end < text.length; end = start + LONG_WORD - 1) {
    let at = end;
    while (at >= start && isWordCode(text.charCodeAt(at))) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let stop = end + 1;
    while (stop < text.length && isWordCode(text.charCodeAt(stop))) stop++;
    if (isSuspectWord(text, start, stop)) return true;
    start = stop + 1;
  }
  return false;
}

function isSuspectWord(text: string, start: number, stop: number): boolean {
  BEHIND.lastIndex = start;
  return BEHIND.test(text) || HEAD.test(text.slice(start, stop));
}

const HEADS = TOKEN_RULES.map((rule) => rule.head);
const isDotted = (head: string) => head.includes('\\.');
/** The head is in the word: at its start, behind the letter of an escape, or behind a joint of it. */
const HEAD = new RegExp(`(?:^[nrt]?|[_-])(?:${HEADS.filter((head) => !isDotted(head)).join('|')})`);
/** The head stands before the word. */
const BEHIND = new RegExp(`(?<=[Bb][Ee][Aa][Rr][Ee][Rr][ \\t]{1,3}|${HEADS.filter(isDotted).join('|')})`, 'y');

const WORD_CODES = new Uint8Array(128);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  WORD_CODES[letter.charCodeAt(0)] = 1;
}

function isWordCode(code: number): boolean {
  return code < 128 && WORD_CODES[code] === 1;
}
