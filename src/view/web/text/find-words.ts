/** Words in a text as a search marked them: whole or as the beginning of a word, in any case. */

/** Undefined without words. */
export function wordPattern(words: readonly string[]): RegExp | undefined {
  if (words.length === 0) return undefined;
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})`, 'giu');
}
