/** Text of an agent as a person may safely read it: nothing hides, reorders or controls. */
import { replaceHostile } from '../../../event/index.js';

/** What could mislead is shown by its number; nothing goes. */
export function visible(text: string): string {
  // Nearly everything, and asked for every word of a line of code.
  if (PLAIN.test(text)) return text;
  return replaceHostile(text.replace(/\r\n?/g, '\n'), shown);
}

const PLAIN = /^[\n\t\x20-\x7e]*$/;

function shown(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
