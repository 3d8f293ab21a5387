/** Text of an agent as a person may safely read it: nothing hides, reorders or controls (decision 13). */

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const TERMINAL_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Colours of terminals go, characters that turn the direction of reading become visible. */
export function visible(text: string): string {
  return text
    .replace(TERMINAL_SEQUENCES, '')
    .replaceAll('\r\n', '\n')
    .replace(CONTROLS, '')
    .replace(BIDI, (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`);
}
