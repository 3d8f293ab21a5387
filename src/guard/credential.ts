/**
 * Secrets that have no shape of their own and are known only by the name they are given: `DB_PASSWORD=…`, `"apiKey": "…"`.
 *
 * A name alone proves little (`password: string`, `token: "color-gray-100"`), so in text the value must look the part too.
 * The words after each name may be missed; a type, a reference or a word of prose must not be hidden.
 */

/** How much a value must look like a secret depends on the kind of name: a constant in capitals is taken at its word. */
export type NameKind = 'constant' | 'password' | 'secret' | 'token';

const KEYS =
  '(?:api|secret|access|private|auth|account|encryption|signing|master|client|storage|shared|session|license)[_-]?key';
const SECRETS = `secret|credentials?|${KEYS}|key[_-]?base|_auth`;
const PASSWORDS = 'pass(?:word|wd|phrase|code)|pwd';
/** Page tokens are positions in a list, not secrets. */
const TOKENS = '(?<!page[_-]?|next[_-]?|continuation[_-]?)token';
const SUFFIX = '(?:[_-]?(?:[0-9]{1,2}|prod(?:uction)?|dev(?:elopment)?|test|staging|live|local))?';

/** Sources of expressions that match the end of a name. */
export const NAMES: Record<NameKind, string> = {
  constant: `(?:${PASSWORDS}|${SECRETS}|${TOKENS})${SUFFIX}`.toUpperCase(),
  password: anyCase(`(?:${PASSWORDS})${SUFFIX}`),
  secret: anyCase(`(?:${SECRETS})${SUFFIX}`),
  token: anyCase(TOKENS + SUFFIX),
};

const NAME = new RegExp(`(?<=${NAMES.password}|${NAMES.secret}|${NAMES.token}|${anyCase('authorization')})`, 'y');

/** The last two letters of all these names, so that most others are refused without an expression. */
const ENDINGS = new Uint8Array(65_536);
for (const pair of 'rd wd se de et al ls ey th en on od ev nt st ng ve'.split(' ')) ENDINGS[pairOf(pair, 2)] = 1;

/** Whether a property of this name holds a secret, whatever it looks like. */
export function isSecretName(name: string): boolean {
  return endsSecretName(name, name.length);
}

/** Whether such a name ends here. */
export function endsSecretName(text: string, end: number): boolean {
  if (!isDigit(text.charCodeAt(end - 1)) && ENDINGS[pairOf(text, end)] !== 1) return false;
  NAME.lastIndex = end;
  return NAME.test(text);
}

function pairOf(text: string, end: number): number {
  return ((text.charCodeAt(end - 2) | 32) << 8) | (text.charCodeAt(end - 1) | 32);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Whether this is the place of a secret rather than one: a variable, a template, a mask, our own replacement. */
export function isReference(value: string): boolean {
  return /^(?:[$%<{[*]|([x.•_-])\1{2,}$|your[_-])/i.test(value) || value.includes('${') || value.includes('{{');
}

/** Whether the value of a name in text is a secret. Without quotes it may also be code. */
export function isSecretValue(kind: NameKind, quoted: boolean, value: string): boolean {
  if (isReference(value) || WORDS.test(value) || PATH.test(value)) return false;
  if (!quoted && MEMBER.test(value)) return false;
  const mixed = /[0-9]/.test(value) && /[A-Za-z]/.test(value);
  switch (kind) {
    case 'constant':
      return true;
    case 'password':
      return value.length >= 6 && (mixed || (quoted && !/^[A-Z][a-z]+$/.test(value)));
    case 'secret':
      return value.length >= 8 && (mixed ? quoted || !TYPE.test(value) : value.length >= 16 && quoted);
    case 'token':
      return value.length >= (quoted ? 8 : 12) && mixed && !WORDY.test(value) && !TYPE.test(value);
  }
}

/** What code, schemas and messages say after such a name. */
const WORDS =
  /^(?:string|str|number|int|integer|bool|boolean|bytes?|buffer|any|object|unknown|text|type|null|none|nil|undefined|true|false|required|optional|missing|invalid|incorrect|empty|default|value|enabled|disabled|hidden|pass(?:word|wd)?|secret|token|credentials?|authorization)$/i;
const PATH = /^(?:https?:\/\/|(?:~|\.{0,2})\/[\w.@-]+(?:\/[\w.@-]*)*$)/;
const MEMBER = /^[A-Za-z_$][\w$]*(?:[.?:]{1,2}[A-Za-z_$][\w$]*)+$/;
/** `Uint8Array`. */
const TYPE = /^[A-Z][a-z]+\d+[A-Z][a-z]+$/;
/** `color-gray-100`: words and small numbers, as names of design tokens and of syntax have them. */
const WORDY = /^(?:[A-Za-z]+|\d{1,4})(?:[-_.:/](?:[A-Za-z]+|\d{1,4}))*$/;

/** The same expression for letters of any case; the source must hold no escapes with letters. */
export function anyCase(source: string): string {
  return source.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}
