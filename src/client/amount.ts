/** Sums of money as people write them. */

/** `1.5`, `$1.5`. */
export function parseAmount(text: string): number {
  const amount = Number(text.replace(/^\$/, ''));
  if (text.trim() === '' || !(amount >= 0)) throw new SyntaxError(`Write a sum of dollars, not ${text}`);
  return amount;
}
