/** Names that secrets are given, by how much they prove. */

/** `key` proves least: keyboards, storages and licences have keys too. */
export type NameKind = 'password' | 'secret' | 'token' | 'key';

const SECRET_KEYS =
  '(?:api|secret|secret[_-]?access|private|auth|encryption|signing|master|client|shared)[_-]?key|key[_-]?base';
const OTHER_KEYS =
  '(?:access|account|storage|session|license|app|application|admin|fernet|subscription|service|write|deploy|webhook|hmac|jwt|cookie)[_-]?key';
/** Page tokens are positions in a list, not secrets. */
const TOKENS = '(?<!page[_-]?|next[_-]?|continuation[_-]?)token';
const SUFFIX = '(?:[_-]?[0-9]{1,2}|[_-](?:dev|prod|test|live|staging|production))?';
/** `DB_PASS`, only in capitals: a pass is many things. */
const SHORT_PASSWORD = '(?<=_)PASS';

/** Sources of expressions that match the end of a name. */
export const NAMES: Record<NameKind, string> = {
  password: `(?:${anyCase('(?:pass(?:word|wd|phrase|code)|pwd)')}|${SHORT_PASSWORD})${anyCase(SUFFIX)}`,
  secret: anyCase(`(?:secret|credentials?|${SECRET_KEYS}|_auth)${SUFFIX}`),
  token: anyCase(TOKENS + SUFFIX),
  key: anyCase(OTHER_KEYS + SUFFIX),
};

/** Any of them. */
export const ANY_NAME = `(?:${NAMES.password}|${NAMES.secret}|${NAMES.token}|${NAMES.key})`;
/** Those whose property in a tool's input is a secret, whatever it looks like. */
export const SECRET_NAME = `(?:${NAMES.password}|${NAMES.secret}|${NAMES.token}|${anyCase('authorization')})`;
/** Of what a request sends and a link carries. */
const HEADERS = anyCase('(?:authorization|cookie|signature|sig)');

/** Behind a name of any kind: what is tried behind a mark. */
export const MARKED_NAME = new RegExp(`(?<=${ANY_NAME}|${HEADERS})`, 'y');
const PROPERTY = new RegExp(`(?<=${SECRET_NAME})`, 'y');
const KINDS = new Map(Object.entries(NAMES).map(([kind, source]) => [kind, new RegExp(`(?<=${source})`, 'y')]));

/** Whether a name of any kind ends here. */
export function endsMarkedName(text: string, end: number): boolean {
  return mayEndName(text, end) && isBehind(MARKED_NAME, text, end);
}

/** Whether a property of this name holds a secret, whatever it looks like. */
export function isSecretName(name: string): boolean {
  return isBehind(PROPERTY, name, name.length);
}

export function endsWithName(kind: NameKind, name: string): boolean {
  const expression = KINDS.get(kind);
  return expression !== undefined && isBehind(expression, name, name.length);
}

function isBehind(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at;
  return expression.test(text);
}

/** False where no name of any kind ends. By the last letters: the expressions are too slow to be tried behind every colon of a program. */
export function mayEndName(text: string, end: number): boolean {
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
for (const ending of 'ord swd ase ode pwd ass ret ial als key uth ken kie ure sig'.split(' '))
  ENDINGS[threeLetters(ending, 2)] = 1;

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

/** The same expression for letters of any case; the source must hold no escapes with letters. */
export function anyCase(source: string): string {
  return source.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
}
