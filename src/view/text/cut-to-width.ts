import stringWidth from 'fast-string-width';

/** At most so many columns of a line, with a mark where it was cut: a wide character takes two. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (stringWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
