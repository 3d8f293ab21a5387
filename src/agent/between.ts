/** The text between two marks. By searching once for each: an expression would try every length of what stands around it. */
export function between(text: string, opening: string, closing: string): string | undefined {
  const from = text.indexOf(opening);
  const to = from < 0 ? -1 : text.indexOf(closing, from + opening.length);
  return to < 0 ? undefined : text.slice(from + opening.length, to);
}
