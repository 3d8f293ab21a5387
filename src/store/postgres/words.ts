/** The words of a text in the form that the index has, so that they are the same words as everywhere else in glassbox, in every locale. */
import { SEARCH_FIELDS, type SearchField } from '../query.js';
import { foldWord, wordsIn } from '../words.js';

/** Further on, places in a text are all the same to Postgres. */
const LAST_PLACE = 16_383;
/** A word has at most so many places. */
const MOST_PLACES = 255;
/** Postgres takes a megabyte, words and places together. */
const MOST_BYTES = 900_000;
const LONGEST_WORD = 500;

/** A `tsvector` as text. */
export function vectorOf(text: string): string {
  const places = new Map<string, number[]>();
  let place = 0;
  let bytes = 0;
  for (const [found] of wordsIn(text)) {
    place += 1;
    const word = foldWord(found).slice(0, LONGEST_WORD);
    const known = places.get(word);
    if (known) {
      if (known.length < MOST_PLACES && place <= LAST_PLACE) known.push(place);
    } else {
      bytes += 3 * word.length + 8;
      if (bytes > MOST_BYTES) break;
      places.set(word, [Math.min(place, LAST_PLACE)]);
    }
  }
  return [...places].map(([word, at]) => `'${word}':${at.join(',')}`).join(' ');
}

/** Its number in the index. */
export function fieldNumber(field: SearchField): number {
  return SEARCH_FIELDS.indexOf(field);
}
