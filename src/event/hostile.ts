/**
 * The one table of characters that let text show itself as something else: C0 without tab and newline, DEL, C1; separators that some
 * readers take for line ends; marks that reorder or hide text (bidi, deprecated format, annotation, byte order mark); the two halves
 * of a broken surrogate pair; tag characters, which are invisible.
 */
const HOSTILE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what has to go
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]|[\u{e0000}-\u{e007f}]/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how terminals are told
const COLOURS = /\u001b\[[0-9;:]*[mK]/g;

/**
 * What a program printed, without its colours. Only for that: in a command or a file these characters are part of what would be done, and what
 * stands between the two ends of any other sequence too, so nothing that somebody decides about may lose them.
 */
export function withoutColours(text: string): string {
  return text.includes('\u001b') ? text.replace(COLOURS, '') : text;
}

/** Every view replaces them, each in its own way. Linear in the length of the text. */
export function replaceHostile(text: string, replacement: string | ((character: string) => string)): string {
  return typeof replacement === 'string'
    ? text.replace(HOSTILE, () => replacement)
    : text.replace(HOSTILE, (character) => replacement(character));
}
