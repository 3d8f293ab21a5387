import stripAnsi from 'strip-ansi';

/** Control and direction characters would let text show itself as something else, in a browser as in a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are exactly what has to go
const MISLEADING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text without colours and escape sequences; what could still mislead becomes U+FFFD. Keeps newlines and tabs. */
export function visible(text: string): string {
  return stripAnsi(text).replace(/\r\n?/g, '\n').replace(MISLEADING, '\ufffd');
}
