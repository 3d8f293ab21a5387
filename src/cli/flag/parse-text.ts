/** A text that says something, as a flag takes it: what is empty is mostly a variable of a script that was not set. */
export function parseText(text: string): string {
  if (text.trim() === '') throw new SyntaxError('Write something, or leave it out');
  return text;
}
