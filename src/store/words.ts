/** The search language of people: words that must all occur, `"a phrase"`, `begin*`, `-without`. */

/** A part of what is searched for. */
export interface Term {
  /** The words of a phrase in order; a single word is a phrase of one. */
  words: string[];
  /** The last word is only a beginning. */
  prefix: boolean;
  /** Must not occur. */
  not: boolean;
}

/** Never fails: what is no word is left out, an open quotation mark ends at the end. */
export function parseTerms(text: string): Term[] {
  const terms: Term[] = [];
  for (const [, minus, phrase, word = '', star] of text.matchAll(/(-?)(?:"([^"]*)"?|([^\s"*]+))(\*?)/g)) {
    const words = wordsIn(phrase ?? word).map(([found]) => foldWord(found));
    if (words.length > 0) terms.push({ words, prefix: star === '*', not: minus === '-' });
  }
  return terms;
}

/** Letters and digits, with their places; each ideograph is a word of its own. */
export function wordsIn(text: string): RegExpExecArray[] {
  return [...text.matchAll(ASCII.test(text) ? ASCII_WORD : WORD)];
}

/** A word as it is compared: without case and accents. */
export function foldWord(word: string): string {
  return (ASCII.test(word) ? word : word.normalize('NFD').replace(ACCENTS, '')).toLowerCase();
}

/** Text as the index gets it. Scripts without spaces are found by their characters, so that a part of a sentence matches. */
export function separateIdeographs(text: string): string {
  return IDEOGRAPH.test(text) ? text.replace(IDEOGRAPHS, ' $& ') : text;
}

const ideograph = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}]';
const IDEOGRAPH = new RegExp(ideograph, 'u');
const IDEOGRAPHS = new RegExp(ideograph, 'gu');
const ACCENTS = /\p{M}/gu;
// Most text is plain, and looking for letters of all scripts costs ten times as much.
const ASCII = /^[\t-~]*$/;
const ASCII_WORD = /[a-z0-9]+/gi;
const WORD = new RegExp(`${ideograph}|(?:(?!${ideograph})[\\p{L}\\p{N}\\p{M}\\p{Co}])+`, 'gu');
