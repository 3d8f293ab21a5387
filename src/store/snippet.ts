/** One line around the words that were searched for. However long the text, only the neighbourhood is looked at closely. */
import type { Snippet } from './query.js';
import { foldWord, type Term, wordsIn } from './words.js';

const BEFORE = 40;
const LENGTH = 160;
/** Places of a text that are looked at for the best line. */
const MOST_LOOKED = 100;

/** The line of a text that shows the words best, with where they are; of a long one the neighbourhood of the first. */
export function makeSnippet(text: string, terms: readonly Term[]): Snippet {
  const wanted = terms.filter((term) => !term.not);
  const at = bestMatch(text, wanted);
  const { from, to } = lineAround(text, at);
  const start = at - from <= BEFORE ? from : nextWord(text, at - BEFORE, at);
  const end = Math.min(to, start + LENGTH);
  const line = text
    .slice(start, end)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const shown = `${start > from ? '…' : ''}${line}${end < to ? '…' : ''}`;
  return { text: shown, marks: marksIn(shown, wanted) };
}

/** Where the first of the words stands, in the line that has most of them. */
function bestMatch(text: string, terms: readonly Term[]): number {
  const first = firstMatch(text, terms);
  if (terms.length < 2) return first;
  let best = { at: first, has: termsAt(text, first, terms) };
  const words = terms.flatMap((term) => term.words.slice(0, 1)).join('|');
  let looked = 0;
  for (const { index } of text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])(?:${words})`, 'giu'))) {
    const has = termsAt(text, index, terms);
    if (has > best.has) best = { at: index, has };
    looked += 1;
    if (best.has === terms.length || looked === MOST_LOOKED) break;
  }
  return best.at;
}

function termsAt(text: string, at: number, terms: readonly Term[]): number {
  const { from, to } = lineAround(text, at);
  const words = wordsIn(text.slice(from, to)).map(([word]) => foldWord(word));
  return terms.filter((term) => words.some((word) => isIn(term, word))).length;
}

/** As far as anybody looks: a line may be a megabyte. */
function lineAround(text: string, at: number): { from: number; to: number } {
  const near = Math.max(0, at - LENGTH);
  const before = text.slice(near, at).lastIndexOf('\n');
  const after = text.slice(at, at + 2 * LENGTH).indexOf('\n');
  return {
    from: before < 0 ? near : near + before + 1,
    to: after < 0 ? Math.min(text.length, at + 2 * LENGTH) : at + after,
  };
}

function firstMatch(text: string, terms: readonly Term[]): number {
  const first = terms[0]?.words[0];
  if (first === undefined) return 0;
  const plain = text.search(new RegExp(`(?<![\\p{L}\\p{N}])${first}`, 'iu'));
  if (plain >= 0) return plain;
  // The text has accents that the word has not; this way is slower and seldom needed.
  for (const match of wordsIn(text)) if (foldWord(match[0]).startsWith(first)) return match.index;
  return 0;
}

function nextWord(text: string, from: number, to: number): number {
  const space = text.slice(from, to).search(/\s/);
  return space < 0 ? from : from + space + 1;
}

function marksIn(line: string, terms: readonly Term[]): [number, number][] {
  const marks: [number, number][] = [];
  for (const match of wordsIn(line)) {
    const word = foldWord(match[0]);
    if (terms.some((term) => isIn(term, word))) marks.push([match.index, match.index + match[0].length]);
  }
  return marks;
}

function isIn({ words, prefix }: Term, word: string): boolean {
  return words.includes(word) || (prefix && word.startsWith(words.at(-1) ?? word));
}
