/** Text of an agent as a person may safely read it: nothing hides, reorders or controls. */
import stripAnsi from 'strip-ansi';
import { replaceHostile } from '../../../event/index.js';

/** Colours of terminals go; what could mislead is shown by its number. */
export function visible(text: string): string {
  // Nearly everything, and asked for every word of a line of code.
  if (PLAIN.test(text)) return text;
  return replaceHostile(stripAnsi(text).replace(/\r\n?/g, '\n'), shown);
}

const PLAIN = /^[\n\t\x20-\x7e]*$/;

function shown(character: string): string {
  return `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
