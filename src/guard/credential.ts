/**
 * Secrets that have no shape of their own and are known only by the name they are given: `DB_PASSWORD=…`, `"apiKey": "…"`.
 *
 * A name alone proves little (`password: string`, `token: "color-gray-100"`), so in text the value must look the part too:
 * better to miss an odd password than to hide types, references and words of prose.
 */

/** How much a value must look like a secret depends on the kind of name: a constant in capitals is taken at its word. */
export type NameKind = 'constant' | 'password' | 'secret' | 'token';

const KEYS =
  '(?:api|secret|access|private|auth|account|encryption|signing|master|client|storage|shared|session|license)[_-]?key';
const SECRETS = `secret|credentials?|${KEYS}|key[_-]?base|_auth`;
const PASSWORDS = 'pass(?:word|wd|phrase|code)|pwd';
/** Page tokens are positions in a list, not secrets. */
const TOKENS = '(?<!page[_-]?|next[_-]?|continuation[_-]?)token';
const SUFFIX = '(?:[_-]?[0-9]{1,2}|[_-](?:dev|prod|test|live|staging|production))?';

/** Sources of expressions that match the end of a name. */
export const NAMES: Record<NameKind, string> = {
  constant: `(?:${PASSWORDS}|${SECRETS}|${TOKENS})${SUFFIX}`.toUpperCase(),
  password: anyCase(`(?:${PASSWORDS})${SUFFIX}`),
  secret: anyCase(`(?:${SECRETS})${SUFFIX}`),
  token: anyCase(TOKENS + SUFFIX),
};

const NAME = new RegExp(`(?<=${NAMES.password}|${NAMES.secret}|${NAMES.token}|${anyCase('authorization')})`, 'y');

/** Whether a property of this name holds a secret, whatever it looks like. */
export function isSecretName(name: string): boolean {
  return endsSecretName(name, name.length);
}

/** Whether such a name ends here. */
export function endsSecretName(text: string, end: number): boolean {
  if (!mayEndName(text, end)) return false;
  NAME.lastIndex = end;
  return NAME.test(text);
}

/** The last letters of all these names: the expression is too slow to be tried behind every colon of a program. */
function mayEndName(text: string, end: number): boolean {
  let last = end - 1;
  while (last > end - 3 && isDigit(text.charCodeAt(last))) last--;
  if (last < end - 1 && isJoint(text.charCodeAt(last))) last--;
  return (
    ENDINGS[threeLetters(text, last)] === 1 ||
    // `_dev`, `_prod`, `_staging`, `_production`
    isJoint(text.charCodeAt(last - 3)) ||
    isJoint(text.charCodeAt(last - 4)) ||
    isJoint(text.charCodeAt(last - 7)) ||
    isJoint(text.charCodeAt(last - 10)) ||
    // `authorization`
    (text.charCodeAt(last - 5) | 32) === 122
  );
}

const ENDINGS = new Uint8Array(32_768);
for (const ending of 'ord swd ase ode pwd ret ial als key uth ken'.split(' ')) ENDINGS[threeLetters(ending, 2)] = 1;

/** A number for the three letters up to this one, whatever their case. */
function threeLetters(text: string, last: number): number {
  return (
    ((text.charCodeAt(last - 2) & 31) << 10) | ((text.charCodeAt(last - 1) & 31) << 5) | (text.charCodeAt(last) & 31)
  );
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isJoint(code: number): boolean {
  return code === 95 || code === 45;
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
