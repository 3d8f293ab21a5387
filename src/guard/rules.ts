/**
 * The table of secrets that are recognised by what stands before them, and all rules together.
 *
 * A rule is written so that a secret can be recognised while it is still arriving: `match` is bounded and just long
 * enough to be sure, and what follows is swallowed character by character (`rest`). So nothing has to be held back for
 * longer than the start of a secret.
 */
import {
  isAssignedSecret,
  isPhrase,
  isRandom,
  isReference,
  isSecretValue,
  isUnquotedSetting,
  isYamlPassword,
} from './credential.js';
import { KEY_BLOCK, KEY_BLOCK_RULE, KEY_BODY_RULES } from './key-block.js';
import { ANY_NAME, anyCase, NAMES, SECRET_NAME } from './name.js';
import type { Rule } from './rule.js';
import { LONG_WORD, START, TOKEN_RULES, WORD } from './tokens.js';

/** Words of a command that stand between its name and an option. */
const ARGUMENTS = '(?:[ \\t]{1,2}[^\\s|;&]{1,36}){0,3}';

/** What stands before a secret and is not a name; the quick look uses the same words. */
export const LEADS = {
  urlUser: '://[^\\s/:@"\'`[\\]]{0,64}:',
  slackHook: '://hooks\\.slack\\.com/[a-z]{1,12}/',
  discordHook: '://[a-z.]{0,12}discord(?:app)?\\.com/api/webhooks/',
  user: '-(?:u|-user)[= \\t]{0,2}["\']?[^\\s:"\'/]{1,64}:',
  flag: `--[a-z-]{0,20}${ANY_NAME}[ \\t]{1,2}["']?`,
  bearer: `${anyCase('bearer')}[ \\t]{1,3}`,
  keyBlock: KEY_BLOCK,
  /** `sshpass -p x`, `docker login -u me -p x`. */
  password: '[ \\t]-p[ \\t]{1,2}["\']?',
  /** `mysql -px`. */
  gluedPassword: '[ \\t]-p',
  /** `login me password x`, as a `.netrc` has it. */
  login: 'login[ \\t\\r\\n]{1,4}[^\\s]{1,64}[ \\t\\r\\n]{1,8}password[ \\t]{1,4}',
  /** `ENV NAME x`, as a Dockerfile has it. */
  environment: `ENV[ \\t]{1,4}[A-Z0-9_]{0,40}${ANY_NAME}[ \\t]{1,4}["']?`,
  element: `<[A-Za-z0-9_.:-]{0,40}${ANY_NAME}>`,
};

const SCHEMES = anyCase('(?:bearer|basic|token|digest|negotiate|apikey)');
/** Between the name of a field and its value. */
const MARK = '\\\\{0,3}["\'`]?[ \\t]{0,3}[:=]{1,3}>?[ \\t]{0,4}';
const QUOTE = '\\\\{0,3}["\'`]';
const HEADER = `${anyCase('authorization')}${MARK}(?:${QUOTE})?`;
/** A word of a command, of a header or of YAML: no quotes, no brackets, nothing that a shell expands. */
const BARE = '[^\\s"\'`\\\\,;<>(){}[\\]|&$]';
const QUOTED = '[^\\s"\'`\\\\]';
/** In an element of XML. */
const WRITTEN = '[^\\s<>"\'`{}$\\\\]';
const LINE_END = '[ \\t]{0,4}(?:[\\r\\n]|\\\\[rn]|$)';
const BARE_TOKEN = { name: 'token', mark: ': ', isQuoted: false, before: '' } as const;

/** Secrets that are recognised by how they begin, and long words behind `Bearer`. */
export const WORD_RULES: readonly Rule[] = [
  ...TOKEN_RULES,
  KEY_BLOCK_RULE,
  ...KEY_BODY_RULES,
  {
    name: 'bearer-token',
    before: START + LEADS.bearer,
    match: `${WORD}{${LONG_WORD}}`,
    rest: '[A-Za-z0-9_.~+/=-]',
  },
  /** `https://token@host`. */
  {
    name: 'url-token',
    before: '[A-Za-z0-9]://',
    match: `${WORD}{${LONG_WORD},255}(?=@)`,
    accept: isRandom,
  },
];

/** Secrets that are recognised by what stands before them. */
export const CONTEXT_RULES: readonly Rule[] = [
  {
    name: 'authorization',
    before: `${HEADER}${SCHEMES}[ \\t]{1,3}`,
    match: wholeValue(BARE, 4),
    rest: BARE,
    accept: (value) => !/^[a-z]{1,15}$/.test(value) && !isReference(value),
  },
  {
    name: 'authorization',
    before: HEADER,
    match: wholeValue(BARE, 12),
    rest: BARE,
    accept: (value) => isSecretValue('token', BARE_TOKEN, value),
  },
  /** `Cookie: a=…; b=…`. */
  {
    name: 'cookie',
    before: `${anyCase('cookie')}${MARK}(?:${QUOTE})?`,
    match: '[A-Za-z0-9_.~!#%*+^|-]{1,64}=[^\\s;,"\'`\\\\]{8}',
    rest: '[^\\r\\n"\'`\\\\]',
    accept: (value) => !isReference(value.slice(value.indexOf('=') + 1)),
  },
  /** Whoever has such a link may do what it allows. */
  {
    name: 'signature',
    before: `(?:[?&;]|u0026)(?:${anyCase('x-(?:amz|goog)-signature|signature|sig')})=`,
    match: '[A-Za-z0-9%_~+/=-]{20}',
    rest: '[A-Za-z0-9%_~+/=-]',
  },
  {
    name: 'url-password',
    before: `[A-Za-z0-9]${LEADS.urlUser}`,
    match: '(?:[^\\s/@"\'`<>]{1,255}(?=@)|(?![0-9]{1,5}[?#])[^\\s/@"\'`<>?#]{256})',
    rest: '[^\\s/@"\'`<>?#]',
    accept: (value) => !isReference(value),
  },
  /** With a slash, which it should not have; not a port and a path. */
  {
    name: 'url-password',
    before: `[A-Za-z0-9]${LEADS.urlUser}`,
    match: '(?![0-9]{1,5}/)[^\\s@"\'`<>?#]{4,255}(?=@[A-Za-z0-9])',
    accept: (value) => !isReference(value) && /[0-9].*\/|\/.*[0-9]/.test(value),
  },
  {
    name: 'webhook',
    before: LEADS.slackHook,
    match: '[A-Za-z0-9+/]{20}',
    rest: '[A-Za-z0-9+/]',
  },
  {
    name: 'webhook',
    before: LEADS.discordHook,
    match: `[0-9]{15,22}/${WORD}{20}`,
    rest: WORD,
  },
  { name: 'azure-secret', before: '[A-Za-z0-9_.~-]{3}[0-9]Q~', match: '[A-Za-z0-9_.~-]{31}', rest: '[A-Za-z0-9_.~-]' },
  { name: 'openshift-token', before: 'sha256~', match: `${WORD}{43}`, rest: WORD },
  /** `curl -u name:password`. */
  {
    name: 'basic-password',
    before: `[ \t]${LEADS.user}`,
    match: wholeValue(BARE, 3),
    rest: BARE,
    accept: (value, lead) => !isReference(value) && !/^\d+$/.test(value) && !isCopy(lead),
  },
  { name: 'credential', before: `sshpass${LEADS.password}`, ...argument(4) },
  { name: 'credential', before: `[ \\t]login${ARGUMENTS}${LEADS.password}`, ...argument(4) },
  { name: 'credential', before: `(?:mysql|mariadb)[a-z]{0,10}${ARGUMENTS}${LEADS.gluedPassword}`, ...argument(4) },
  { name: 'credential', before: LEADS.login, ...argument(4) },
  {
    name: 'credential',
    before: LEADS.environment,
    match: wholeValue(QUOTED, 4),
    rest: QUOTED,
    accept: (value, lead) => isAssignedSecret(value, lead.replace(/[ \t]{1,4}(?=["']?$)/, '=')),
  },
  {
    name: 'credential',
    before: LEADS.element,
    match: `(?:${WRITTEN}{4,127}(?=</)|${WRITTEN}{128})`,
    rest: WRITTEN,
    accept: (value, lead) => isAssignedSecret(value, `${lead.slice(lead.lastIndexOf('<') + 1, -1)}: "`),
  },
  /** `NAME=value` as a shell or a file of settings has it, with characters that would be code elsewhere; and with spaces. */
  {
    name: 'credential',
    before: `${ANY_NAME}=`,
    match: wholeWord(QUOTED, 4),
    rest: QUOTED,
    accept: isUnquotedSetting,
  },
  {
    name: 'credential',
    before: `${ANY_NAME}=["']`,
    match: '(?:[^"\'`\\\\\\r\\n]{4,127}(?=["\'])|[^"\'`\\\\\\r\\n]{128})',
    rest: '[^"\'`\\\\\\r\\n]',
    accept: isPhrase,
  },
  {
    name: 'credential',
    before: `${NAMES.password}["'\`]?:[ \\t]{1,4}`,
    match: `[A-Za-z0-9]{4,64}(?=${LINE_END})`,
    accept: isYamlPassword,
  },
  /** `"name": "value"` and `name = value` anywhere else. */
  {
    name: 'credential',
    before: `${ANY_NAME}${MARK}${QUOTE}`,
    match: `(?:${QUOTED}{4,127}(?=${QUOTE})|${QUOTED}{128})`,
    rest: QUOTED,
    accept: isAssignedSecret,
  },
  {
    name: 'credential',
    before: `${ANY_NAME}${MARK}`,
    match: wholeValue(BARE, 4),
    rest: BARE,
    accept: isAssignedSecret,
  },
  /** `--password value`. */
  {
    name: 'credential',
    before: LEADS.flag,
    match: wholeValue(BARE, 4),
    rest: BARE,
    accept: (value) => isSecretValue('password', BARE_TOKEN, value),
  },
];

/** In the JSON text of a tool's input a property with such a name holds a secret, whatever it looks like. */
export const PROPERTY_RULE: Rule = {
  name: 'credential',
  before: `(?<!\\\\)"[^"\\\\]{0,60}${SECRET_NAME}"[ \\t]{0,4}:[ \\t]{0,4}"`,
  match: '(?:[^"\\\\]|\\\\[\\s\\S]){1,128}',
  rest: '[^"]',
  accept: (value) => !isReference(value),
};

/** The value up to its end, which must not be the start of a call, an index or a template; or 128 characters of it. */
function wholeValue(character: string, atLeast: number): string {
  return `(?:${character}{${atLeast},127}(?!${character}|[([{$])|${character}{128})`;
}

/** All up to the next space or quote, or 128 characters of it. */
function wholeWord(character: string, atLeast: number): string {
  return `(?:${character}{${atLeast},127}(?!${character})|${character}{128})`;
}

/** A word of a command that is a secret by its place alone. */
function argument(atLeast: number): Pick<Rule, 'match' | 'rest' | 'accept'> {
  return {
    match: wholeWord(QUOTED, atLeast),
    rest: QUOTED,
    accept: (value) => !isReference(value) && !/^[\d:.]+$/.test(value),
  };
}

/** `rsync -u host:path`, `docker run -u 1000:1000`: the same letter with another meaning. */
function isCopy(lead: string): boolean {
  return /(?:rsync|scp|docker|podman|chown)\s[^\n]*$/.test(lead);
}
