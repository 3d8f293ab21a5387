/**
 * The quickest look, for text that arrives word by word: how much of the next piece can be shown as it is, because neither it nor what came shortly
 * before holds anything that a secret needs. Where it cannot tell, the piece is searched.
 */
import { OTHERS } from './expression.js';
import { type Pattern, suffixOf } from './pattern.js';
import { WORD_RULES } from './rules.js';
import { LEAD_REACH, MARK_REACH } from './suspect.js';
import { LONG_WORD, START } from './tokens.js';

export interface Calm {
  /** Follows the text. So much of what is held back and the new text can be shown, the rest may become a secret; or `SEARCH`. */
  add(text: string, held: string, pattern: Pattern): number;
}

export const SEARCH = -1;

/** What is longer is searched: there the search costs less than a look at each character. */
const LONGEST = 64;

export function createCalm(): Calm {
  let received = 0;
  /** The last characters that may lead to a secret, or belong to a long word. */
  let near = Number.NEGATIVE_INFINITY;
  let far = Number.NEGATIVE_INFINITY;
  let word = 0;
  let [last, lastButOne] = [SPACE, SPACE];

  return {
    add(text, held, pattern) {
      const from = received - held.length;
      const [before, beforeThat] = [last, lastButOne];
      if (text.length > LONGEST) leap(text);
      else look(text);
      if (near >= from - MARK_REACH || far >= from - LEAD_REACH) return SEARCH;
      if (held === '') return openIn(text, before, beforeThat, pattern);
      return openIn(held + text, UNKNOWN, UNKNOWN, pattern);
    },
  };

  function look(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const kind = code < OTHERS ? KIND[code] : NOTHING;
      if (kind === NOTHING) word = 0;
      else {
        // A mark ends a word, or is itself what the look is for.
        word = kind === MARK ? 0 : word + 1;
        if (word >= LONG_WORD || kind === MARK) near = received + at;
        if (kind !== LETTER && leads(code, text, at, last, lastButOne)) far = received + at;
      }
      lastButOne = last;
      last = code;
    }
    received += text.length;
  }

  function leap(text: string): void {
    received += text.length;
    far = received;
    word = 0;
    last = text.charCodeAt(text.length - 1);
    lastButOne = text.charCodeAt(text.length - 2);
  }
}

/** Whether what may stand far before a secret ends here: `://`, a dash before an option, `ENV`, `Bearer`, `password`; or may go on so. */
function leads(code: number, text: string, at: number, last: number, lastButOne: number): boolean {
  const next = at + 1 < text.length ? text.charCodeAt(at + 1) : UNKNOWN;
  switch (code) {
    case COLON:
      return next === SLASH || next === UNKNOWN;
    case DASH:
      return next === DASH || next === SMALL_U || next === SMALL_P || next === UNKNOWN;
    case CAPITAL_V:
      return last === CAPITAL_N && lastButOne === CAPITAL_E;
    case SMALL_D:
      return last === SMALL_R && lastButOne === SMALL_O;
    case SMALL_R:
    case CAPITAL_R:
      return (last | 32) === SMALL_E && (lastButOne | 32) === SMALL_R;
    default:
      return false;
  }
}

/** The first place of the last word that could be the start of a secret, or the end of the text. */
function openIn(text: string, before: number, beforeThat: number, pattern: Pattern): number {
  let at = text.length;
  while (at > 0 && !isSpace(text.charCodeAt(at - 1))) at--;
  let previous = at > 0 ? text.charCodeAt(at - 1) : before;
  let earlier = at > 1 ? text.charCodeAt(at - 2) : at > 0 ? before : beforeThat;
  for (; at < text.length; at++) {
    if (!isAlnum(previous)) {
      if (previous === UNKNOWN || mayStandBefore(earlier, previous)) return SEARCH;
      if (mayOpen(text, at, pattern) && pattern.isOpenWord(text, at)) return at;
    }
    earlier = previous;
    previous = text.charCodeAt(at);
  }
  return at;
}

/** By its first two letters, which are enough for nearly all words: what they cannot open, no longer word can. */
function mayOpen(text: string, at: number, { isOpenWord, openPairs }: Pattern): boolean {
  const first = text.charCodeAt(at);
  const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  if (first >= OTHERS || second >= OTHERS) return true;
  const pair = first * OTHERS + second;
  openPairs[pair] ||= isOpenWord(second === 0 ? letter(first) : letter(first) + letter(second), 0) ? YES : NO;
  return openPairs[pair] === YES;
}

/** Whether these two may be the last ones before a secret that does not start as words do. */
function mayStandBefore(earlier: number, previous: number): boolean {
  if (previous === SPACE) return false;
  if (earlier >= OTHERS || previous >= OTHERS) return BEHIND.test(letter(earlier) + letter(previous));
  const pair = earlier * OTHERS + previous;
  behindPairs[pair] ||= BEHIND.test(letter(earlier) + letter(previous)) ? YES : NO;
  return behindPairs[pair] === YES;
}

const letter = (code: number): string => String.fromCharCode(code);

const UNKNOWN = -1;
const [NO, YES] = [1, 2];
const behindPairs = new Uint8Array(OTHERS * OTHERS);

/** Known by the word `Bearer`, or by a long word before it. */
const LED = new Set(['bearer-token', 'discord-token']);
/** The ends of what must stand before other secrets that do not start as words do. */
const BEHIND = new RegExp(
  `(?:${WORD_RULES.flatMap(({ before = '', name }) => (before === START || LED.has(name) ? [] : suffixOf(before.replace(START, '')))).join('|')})$`,
);

const [SPACE, DASH, SLASH, COLON] = [32, 45, 47, 58];
const [CAPITAL_E, CAPITAL_N, CAPITAL_R, CAPITAL_V] = [69, 78, 82, 86];
const [SMALL_D, SMALL_E, SMALL_O, SMALL_P, SMALL_R, SMALL_U] = [100, 101, 111, 112, 114, 117];

const [NOTHING, LETTER, LEAD, MARK] = [0, 1, 2, 3];
const KIND = new Uint8Array(OTHERS);
for (let code = 0; code < OTHERS; code++) if (isAlnum(code) || letter(code) === '_') KIND[code] = LETTER;
for (const character of '-VdrR') KIND[character.charCodeAt(0)] = LEAD;
for (const character of ':=>~\\M') KIND[character.charCodeAt(0)] = MARK;

function isAlnum(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}
