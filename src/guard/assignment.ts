/** Reads backwards what stands before a value: `export NAME = "`, `\"name\": \"`. Linear, one character after the other. */

export interface Assignment {
  readonly name: string;
  /** Between name and value, without quotes: `=`, `: `, ` => `. */
  readonly mark: string;
  /** A quote opens the value. */
  readonly isQuoted: boolean;
  /** The character before the name; empty where the text begins with it. */
  readonly before: string;
}

export function readAssignment(lead: string): Assignment {
  const opening = skipQuote(lead, lead.length);
  const start = skipMark(lead, opening);
  const end = skipQuote(lead, start);
  let name = end;
  while (/[\w.-]/.test(lead.charAt(name - 1))) name--;
  return {
    name: lead.slice(name, end),
    mark: lead.slice(start, opening),
    isQuoted: opening < lead.length,
    before: lead.charAt(name - 1),
  };
}

/** A quote and the escapes before it. */
function skipQuote(text: string, from: number): number {
  if (!/["'`]/.test(text.charAt(from - 1))) return from;
  let at = from - 1;
  while (text.charAt(at - 1) === '\\') at--;
  return at;
}

function skipMark(text: string, from: number): number {
  let at = from;
  while (/[ \t:=>]/.test(text.charAt(at - 1))) at--;
  return at;
}
