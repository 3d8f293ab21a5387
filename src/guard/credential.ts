/**
 * Secrets that have no shape of their own and are known only by the name they are given: `DB_PASSWORD=…`, `"apiKey": "…"`.
 *
 * A name alone proves little (`password: string`, `token: "color-gray-100"`), so in text the value must look the part too:
 * better to miss an odd password than to hide types, references and words of prose.
 */
import { type Assignment, readAssignment } from './assignment.js';
import { endsWithName, type NameKind } from './name.js';

/** Whether this is the place of a secret rather than one: a variable, a template, a mask, our own replacement. */
export function isReference(value: string): boolean {
  return (
    /^(?:[$%<{[*]|(?:x{3,}|\.{3,}|•{3,}|_{3,}|-{3,})$|your[_-])/i.test(value) ||
    value.includes('${') ||
    value.includes('{{')
  );
}

/** Whether a value is a secret, given what stands before it in the text: a name, a mark, maybe a quote. */
export function isAssignedSecret(value: string, lead: string): boolean {
  const assignment = readAssignment(lead);
  const kind = kindOf(assignment.name);
  return kind !== undefined && isSecretValue(kind, assignment, value);
}

/** Whether the value of a name in text is a secret. Without quotes it may also be code. */
export function isSecretValue(kind: NameKind, assignment: Assignment, value: string): boolean {
  const { name, isQuoted } = assignment;
  if (isReference(value) || WORDS.test(value) || PATH.test(value) || isConstantName(value)) return false;
  if (!isQuoted && isMember(value)) return false;
  // What a shell sets is taken at its word; elsewhere a constant may also be a label or a message.
  const isSet = isSetting(assignment);
  if (!isSet && saysItself(value)) return false;
  const isMixed = /[0-9]/.test(value) && /[A-Za-z]/.test(value);
  switch (kind) {
    case 'password':
      if (isConstant(name)) return true;
      return value.length >= 6 && (isMixed || isDigits(value) || (isQuoted && !/^[A-Z][a-z]+$/.test(value)));
    case 'secret':
      if (isConstant(name)) return true;
      return value.length >= 8 && (isMixed ? isQuoted || !TYPE.test(value) : value.length >= 16 && isQuoted);
    case 'key':
      return isRandom(value);
    case 'token':
      if (isSet && !isQuoted) return !isDigits(value);
      return value.length >= (isQuoted ? 8 : 12) && isMixed && !isWordy(value) && !TYPE.test(value);
  }
}

/** `DB_PASSWORD=pa(ss)&w0rd`: in a file of settings all up to the next space is the value. */
export function isUnquotedSetting(value: string, lead: string): boolean {
  const assignment = readAssignment(lead);
  if (!isSetting(assignment)) return false;
  const core = value.replace(/[;,]{1,9}$/, '');
  return SPECIAL.test(core) && !isCode(core) && isAssignedSecret(core, lead);
}

/** `DB_PASSWORD="my secret pass phrase"`, but no sentence about passwords. */
export function isPhrase(value: string, lead: string): boolean {
  const assignment = readAssignment(lead);
  const kind = kindOf(assignment.name);
  if (!isSetting(assignment) || (kind !== 'password' && kind !== 'secret')) return false;
  return value.includes(' ') && !isReference(value) && !/^\s|^[A-Z][a-z']* [a-z]|[.!?:]$|[()=<>]/.test(value);
}

/** `password: correcthorse` on a line of its own, as YAML has it. */
export function isYamlPassword(value: string, lead: string): boolean {
  const line = lead.slice(Math.max(lead.lastIndexOf('\n') + 1, lead.lastIndexOf('\\n') + 2));
  if (!/^[ \t]*(?:- )?["']?[\w.-]*["']?:[ \t]{1,4}$/.test(line)) return false;
  return /^(?:[a-z]{8,}|\d{4,})$/.test(value) && !WORDS.test(value) && !saysItself(value);
}

/** Hard to guess by its look: what names like `APP_KEY` are given, and no words. */
export function isRandom(value: string): boolean {
  return value.length >= 16 && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && !isWordy(value);
}

function kindOf(name: string): NameKind | undefined {
  return (['password', 'secret', 'token', 'key'] as const).find((kind) => endsWithName(kind, name));
}

/** A name in capitals that begins a word: what files of settings and shells have. */
function isSetting({ name, mark, before }: Assignment): boolean {
  return mark === '=' && isConstant(name) && !name.includes('.') && !/[\w.?&$/-]/.test(before);
}

function isConstant(name: string): boolean {
  return !/[a-z]/.test(name.slice(name.lastIndexOf('.') + 1));
}

/** What code, schemas and messages say after such a name. */
const WORDS =
  /^(?:string|str|number|int|integer|bool|boolean|bytes?|buffer|any|object|unknown|text|type|null|none|nil|undefined|true|false|required|optional|missing|invalid|incorrect|empty|default|value|enabled|disabled|hidden|encrypted|encoded|hashed|masked|redacted|changeme|plaintext|expired|forgotten|identifier|return|break|throw|await|this|self|new|pass(?:word|wd)?|secret|token|credentials?|authorization)$/i;
const PATH = /^(?:https?:\/\/|(?:~|\.{0,2})\/[\w.@-][\w.@/-]*$)/;
/** `Uint8Array`. */
const TYPE = /^[A-Z][a-z]+\d+[A-Z][a-z]+$/;
/** Ends a word in a shell or begins an expression. */
const SPECIAL = /[(){}[\]|&$;,<>]/;

/** `START_TAG_TOKEN`: the name of something, not its value. */
function isConstantName(value: string): boolean {
  return /^[A-Z]+_[A-Z_]*$/.test(value);
}

/** `invalid-password`, `it-is-very-secret`: words about secrets. */
function saysItself(value: string): boolean {
  return /password|passwd|secret|token|credential/i.test(value) && isWordy(value);
}

/** `config.apiKey`, `Scope::name`, `a?.b`. */
function isMember(value: string): boolean {
  const names = value.split(/[.?:]{1,2}/);
  return names.length > 1 && names.every((name) => /^[A-Za-z_$][\w$]*$/.test(name));
}

/** `getToken(request)`, `env["KEY"]`, or the middle of a program without spaces. */
function isCode(value: string): boolean {
  return /^[\w$.]*[([].*[)\]]$/.test(value) || /=>|\(\)|[;,{}].*[(=]|^function\b|^!|[([{]$/.test(value);
}

function isDigits(value: string): boolean {
  return /^\d+$/.test(value);
}

/** `color-gray-100`, `alt+shift+1`: words and small numbers, as names of design tokens, keys and versions have them. */
function isWordy(value: string): boolean {
  const words = value.split(/[-_.:/+]/);
  const word = words.length > 1 ? /^(?:[A-Za-z]+\d{0,3}|\d{1,4})$/ : /^(?:[A-Za-z]+|\d{1,4})$/;
  return words.every((part) => word.test(part));
}
