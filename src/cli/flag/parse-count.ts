/** A whole number above 0, as a flag takes it. */
export function parseCount(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new SyntaxError(`Write a whole number above 0, not ${text}`);
  return Number(text);
}
