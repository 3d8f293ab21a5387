/** One line around the words that were searched for. However long the text, only the neighbourhood is looked at closely. */
import type { Snippet } from './query.js';
import { foldWord, type Term, wordsIn } from './words.js';

const BEFORE = 40;
const LENGTH = 160;

/** The line of a text that shows the words best, with where they are. */
export function makeSnippet(text: string, terms: readonly Term[]): Snippet {
  const wanted = terms.filter((term) => !term.not);
  const at = firstMatch(text, wanted);
  const start = at <= BEFORE ? 0 : nextWord(text, at - BEFORE, at);
  const line = text
    .slice(start, start + LENGTH)
    .replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const shown = `${start > 0 ? '…' : ''}${line}${start + LENGTH < text.length ? '…' : ''}`;
  return { text: shown, marks: marksIn(shown, wanted) };
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
