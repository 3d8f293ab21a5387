import stringWidth from 'fast-string-width';
import { graphemes } from './graphemes.js';

/** At most so many columns of a line, with a mark where it was cut: a wide character takes two, and what is joined stays together or goes. */
export function cutToWidth(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of graphemes(text)) {
    used += stringWidth(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}
