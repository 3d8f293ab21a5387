/**
 * The one table of what a secret looks like.
 *
 * A rule is written so that a secret can be recognised while it is still arriving: `match` is bounded and just long
 * enough to be sure, and what follows is swallowed character by character (`rest`). So nothing has to be held back for
 * longer than the start of a secret. The formats are facts published by the providers and by well-kept scanners.
 */
import { anyCase, isReference, isSecretValue, NAMES, type NameKind } from './credential.js';

export interface Rule {
  /** Shown in place of the secret: `[redacted:<name>]`. */
  readonly name: string;
  /** Source of an expression that must stand directly before the secret and stays visible. Bounded. */
  readonly before?: string;
  /** Source of an expression for the secret's beginning. Bounded, without capturing groups. */
  readonly match: string;
  /** Source of an expression for one further character of the secret. */
  readonly rest?: string;
  /** Source of an expression that ends the secret and is swallowed too; without it the secret ends where `rest` does. */
  readonly until?: string;
  /** Last word, given what `match` took. */
  readonly accept?: (value: string) => boolean;
}

export interface TokenRule extends Rule {
  /** The telling start of `match`: what the quick look searches for in long words. */
  readonly head: string;
}

/** Tokens have at least this many characters of `WORD` in a row after any dotted head: see `suspect.ts`. */
export const LONG_WORD = 20;

const WORD = '[A-Za-z0-9_-]';
const ALNUM = '[A-Za-z0-9]';
const HEX = '[a-fA-F0-9]';
/** Not inside a word; the letter of an escape such as `\n` in JSON text belongs to no word. Every secret starts so. */
const START = '(?<!(?<!\\\\)[A-Za-z0-9])';

export const TOKEN_RULES: readonly TokenRule[] = [
  token('anthropic-key', 'sk-ant-', `${WORD}{13}`),
  token('openai-key', 'sk-(?:proj|svcacct|admin)-', `${WORD}{20}`),
  token('openrouter-key', 'sk-or-v1-', `${HEX}{20}`, HEX),
  token('api-key', 'sk-', `${ALNUM}{20}`),
  token('google-key', 'AIza', `${WORD}{35}`),
  token('google-oauth', 'ya29\\.', `${WORD}{20}`),
  token('google-oauth', 'GOCSPX-', `${WORD}{20}`),
  token('aws-access-key', '(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])', '[A-Z0-9]{16}(?![A-Za-z0-9])', ''),
  token('aws-bedrock-key', 'ABSK', `${ALNUM}{40}`, '[A-Za-z0-9+/=]'),
  token('github-token', 'gh[pousr]_', `${ALNUM}{20}`, '[A-Za-z0-9_.-]'),
  token('github-token', 'github_pat_', `${ALNUM}{20}`),
  token('gitlab-token', 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-', `${WORD}{20}`, '[A-Za-z0-9_.-]'),
  token('gitlab-token', 'GR1348941', `${WORD}{20}`),
  token('slack-token', 'xox[abeoprs]-', `${WORD}{15}`),
  token('slack-token', 'xapp-', `${WORD}{15}`),
  token('stripe-key', '[sr]k_(?:live|test|prod)_', `${ALNUM}{12}`),
  token('stripe-key', 'whsec_', `${ALNUM}{20}`, '[A-Za-z0-9+/=]'),
  token('npm-token', 'npm_', `${ALNUM}{30}`),
  token('pypi-token', 'pypi-Ag', `${WORD}{30}`),
  token('rubygems-key', 'rubygems_', `${HEX}{40}`, HEX),
  token('huggingface-token', 'hf_', `${ALNUM}{30}`),
  token('groq-key', 'gsk_', `${ALNUM}{30}`),
  token('xai-key', 'xai-', `${ALNUM}{40}`),
  token('perplexity-key', 'pplx-', `${ALNUM}{30}`),
  token('replicate-token', 'r8_', `${ALNUM}{30}`),
  token('sendgrid-key', 'SG\\.', `${WORD}{20}`, '[A-Za-z0-9_.-]'),
  token('twilio-key', 'SK', `${HEX}{32}(?![A-Za-z0-9])`, ''),
  token('docker-token', 'dckr_[po]at_', `${WORD}{20}`),
  token('digitalocean-token', 'do[opr]_v1_', `${HEX}{40}`, HEX),
  token('databricks-token', 'dapi', `${HEX}{32}`, HEX),
  token('vault-token', 'hv[sb]\\.', `${WORD}{24}`),
  token('doppler-token', 'dp\\.(?:pt|st|sa|ct|scim|audit)\\.', `${ALNUM}{30}`),
  { name: 'terraform-token', head: '\\.atlasv1\\.', before: '\\.atlasv1\\.', match: `${WORD}{30}`, rest: WORD },
  token('pulumi-token', 'pul-', `${HEX}{40}`, HEX),
  token('heroku-key', 'HRKU-', `${WORD}{30}`),
  token('supabase-key', 'sb(?:p|_secret)_', `${WORD}{20}`),
  token('planetscale-token', 'pscale_(?:tkn|oauth|pw)_', `${WORD}{20}`, '[A-Za-z0-9_.=-]'),
  token('tailscale-key', 'tskey-[a-z]{2,12}-', `${WORD}{16}`),
  token('grafana-token', 'gl(?:c|sa)_', `${ALNUM}{30}`, '[A-Za-z0-9_+/=]'),
  token('sentry-token', 'sntry[su]_', `${ALNUM}{40}`, '[A-Za-z0-9_+/=]'),
  token('newrelic-key', 'NRAK-', '[A-Z0-9]{27}', '[A-Z0-9]'),
  token('linear-key', 'lin_(?:api|oauth)_', `${ALNUM}{30}`),
  token('notion-token', 'ntn_', `${ALNUM}{30}`),
  token('figma-token', 'fig[dou]_', `${WORD}{30}`),
  token('postman-key', 'PMAK-', `${HEX}{24}-${HEX}{10}`, HEX),
  token('shopify-token', 'shp(?:at|ca|pa|ss)_', `${HEX}{32}`, HEX),
  token('square-token', 'sq0(?:atp|csp)-', `${WORD}{20}`),
  token('airtable-token', `pat${ALNUM}{14}\\.`, `${HEX}{40}`, HEX),
  token('onepassword-token', 'ops_eyJ', `${ALNUM}{30}`, '[A-Za-z0-9+/=]'),
  token('age-key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{30}', '[A-Z0-9]'),
  token('jwt', 'eyJ', `${WORD}{17,400}\\.${WORD}{8}`, '[A-Za-z0-9_.-]'),
];

/** What may stand around a key block's lines: quotes and escapes of source text, line numbers and marks of listings. */
const KEY_MARGIN = '[\\s0-9"\'`+\\\\nr,:|>\u2192-]';

/** What stands before a secret and is not a name; the quick look uses the same words. */
export const LEADS = {
  urlUser: '://[^\\s/:@"\'`]{0,64}:',
  slackHook: '://hooks\\.slack\\.com/[a-z]{1,12}/',
  discordHook: '://[a-z.]{0,12}discord(?:app)?\\.com/api/webhooks/',
  user: '-(?:u|-user)[= \\t]{0,2}["\']?[^\\s:"\'/]{1,64}:',
  flag: `--[a-z-]{0,20}(?:${NAMES.password}|${NAMES.secret}|${NAMES.token})[ \\t]{1,2}["']?`,
  bearer: `${anyCase('bearer')}[ \\t]{1,3}`,
  keyBlock: '-----BEGIN',
};

const SCHEMES = anyCase('(?:bearer|basic|token|digest|negotiate|apikey)');
const HEADER = `${anyCase('authorization')}\\\\{0,3}["'\`]?[ \\t]{0,3}[:=]{1,3}>?[ \\t]{0,4}\\\\{0,3}["'\`]?`;
/** A word of a command, of a header or of YAML: no quotes, no brackets, nothing that a shell expands. */
const BARE = '[^\\s"\'`\\\\,;<>(){}[\\]|&$]';
const QUOTED = '[^\\s"\'`\\\\]';

/** Secrets that are recognised by how they begin, and long words behind `Bearer`. */
export const WORD_RULES: readonly Rule[] = [
  ...TOKEN_RULES,
  {
    name: 'private-key',
    before: START,
    match:
      `${LEADS.keyBlock} [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----${KEY_MARGIN}{1,24}` +
      `(?:(?:Proc-Type|DEK-Info|Version|Comment): [^\\n\\\\]{0,80}${KEY_MARGIN}{1,12}){0,4}[A-Za-z0-9+/=]{${LONG_WORD}}`,
    rest: `(?:[A-Za-z0-9/=]|(?!-----)${KEY_MARGIN})`,
    until: '-----END [A-Z0-9 ]{0,40}-----',
  },
  {
    name: 'bearer-token',
    before: START + LEADS.bearer,
    match: `${WORD}{${LONG_WORD}}`,
    rest: '[A-Za-z0-9_.~+/=-]',
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
    accept: (value) => isSecretValue('token', false, value),
  },
  {
    name: 'url-password',
    before: `[A-Za-z0-9]${LEADS.urlUser}`,
    match: '[^\\s/@"\'`<>]{1,256}(?=@)',
    accept: (value) => !isReference(value),
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
  /** `curl -u name:password`. */
  {
    name: 'basic-password',
    before: `[ \t]${LEADS.user}`,
    match: wholeValue(BARE, 3),
    accept: (value) => !isReference(value) && !/^\d+$/.test(value),
  },
  ...(Object.keys(NAMES) as NameKind[]).flatMap(assignments),
  /** `--password value`. */
  {
    name: 'credential',
    before: LEADS.flag,
    match: wholeValue(BARE, 4),
    rest: BARE,
    accept: (value) => isSecretValue('password', false, value),
  },
];

/** In the JSON text of a tool's input a property with such a name holds a secret, whatever it looks like. */
export const PROPERTY_RULE: Rule = {
  name: 'credential',
  before: `(?<!\\\\)"[^"\\\\]{0,60}(?:${NAMES.password}|${NAMES.secret}|${NAMES.token}|${anyCase('authorization')})"[ \\t]{0,4}:[ \\t]{0,4}"`,
  match: '(?:[^"\\\\]|\\\\[\\s\\S]){1,128}',
  rest: '[^"]',
  accept: (value) => !isReference(value),
};

function token(name: string, head: string, body: string, rest: string = WORD): TokenRule {
  return { name, head, before: START, match: head + body, ...(rest && { rest }) };
}

/** `NAME=value` and `"name": "value"` for one kind of name. */
function assignments(kind: NameKind): Rule[] {
  const name = `${NAMES[kind]}\\\\{0,3}["'\`]?[ \\t]{0,3}[:=]{1,3}>?[ \\t]{0,4}`;
  return [
    {
      name: 'credential',
      before: `${name}\\\\{0,3}["'\`]`,
      match: `(?:${QUOTED}{4,127}(?=\\\\{0,3}["'\`])|${QUOTED}{128})`,
      rest: QUOTED,
      accept: (value) => isSecretValue(kind, true, value),
    },
    {
      name: 'credential',
      before: name,
      match: wholeValue(BARE, 4),
      rest: BARE,
      accept: (value) => isSecretValue(kind, false, value),
    },
  ];
}

/** The value up to its end, which must not be the start of a call, an index or a template; or 128 characters of it. */
function wholeValue(character: string, atLeast: number): string {
  return `(?:${character}{${atLeast},127}(?!${character}|[([{$])|${character}{128})`;
}
