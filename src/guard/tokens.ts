/** The one table of tokens that are known by how they begin. The formats are facts published by the providers and by well-kept scanners. */
import type { Rule } from './rule.js';

export interface TokenRule extends Rule {
  /** The telling start of `match`: what the quick look searches for in long words. */
  readonly head: string;
  /** May stand inside a word, because its head is like nothing else. */
  readonly isGlued?: boolean;
}

/** Tokens have at least this many characters of `WORD` in a row after any dotted head: see `suspect.ts`. */
export const LONG_WORD = 20;

export const WORD = '[A-Za-z0-9_-]';
const ALNUM = '[A-Za-z0-9]';
const HEX = '[a-fA-F0-9]';
/** Of tokens that are always as long: what follows them is not theirs. */
const NOTHING = null;
/** Not inside a word; the letter of an escape such as `\n` in JSON text belongs to no word. Every secret starts so. */
export const START = '(?<!(?<!\\\\)[A-Za-z0-9])';

/** Tokens that are recognised also where something was written directly before them; their heads stay visible. */
const GLUED: readonly (readonly [name: string, head: string, body: string, rest?: string])[] = [
  ['anthropic-key', 'sk-ant-[a-z]{3,6}[0-9]{2}-', `${WORD}{20}`],
  ['github-token', 'gh[pousr]_', `${ALNUM}{30}`],
  ['github-token', 'github_pat_', `${ALNUM}{20}`],
  ['gitlab-token', 'glpat-', `${WORD}{20}`],
  ['slack-token', 'xox[abeoprs]-[0-9]{8,14}-', `${WORD}{20}`],
  ['stripe-key', '[sr]k_live_', `${ALNUM}{20}`],
  ['npm-token', 'npm_', `${ALNUM}{36}`],
  ['huggingface-token', 'hf_', `${ALNUM}{34}`],
  ['digitalocean-token', 'do[opr]_v1_', `${HEX}{40}`, HEX],
];

export const TOKEN_RULES: readonly TokenRule[] = [
  token('anthropic-key', 'sk-ant-', `${WORD}{13}`),
  token('openai-key', 'sk-(?:proj|svcacct|admin)-', `${WORD}{20}`),
  token('openrouter-key', 'sk-or-v1-', `${HEX}{20}`, HEX),
  token('api-key', 'sk-', `${ALNUM}{20}`),
  token('google-key', 'AIza', `${WORD}{35}`),
  token('google-oauth', 'ya29\\.', `${WORD}{20}`),
  token('google-oauth', 'GOCSPX-', `${WORD}{20}`),
  token('aws-access-key', '(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])', '[A-Z0-9]{16}(?![A-Za-z0-9])', NOTHING),
  token('aws-bedrock-key', 'ABSK', `${ALNUM}{40}`, '[A-Za-z0-9+/=]'),
  token('github-token', 'gh[pousr]_', `${ALNUM}{20}`, '[A-Za-z0-9_.-]'),
  token('github-token', 'github_pat_', `${ALNUM}{20}`),
  token('gitlab-token', 'gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-', `${WORD}{20}`, '[A-Za-z0-9_.-]'),
  token('gitlab-token', 'GR1348941', `${WORD}{20}`),
  token('slack-token', 'xox[abcdeoprs]-', `${WORD}{15}`, '[A-Za-z0-9_%+/-]'),
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
  token('twilio-key', 'SK', `${HEX}{32}(?![A-Za-z0-9])`, NOTHING),
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
  token('atlassian-token', 'AT[AC]TT3', `${WORD}{20}`, '[A-Za-z0-9_=-]'),
  token('bitbucket-token', 'ATBB', `${ALNUM}{24}`),
  behind('nvidia-key', 'nvapi-', `${WORD}{40}`),
  behind('pinecone-key', 'pcsk_', '[A-Za-z0-9_]{40}'),
  behind('langsmith-key', 'lsv2_(?:pt|sk)_', `${HEX}{32}`, '[a-f0-9_]'),
  behind('cerebras-key', 'csk-', `${ALNUM}{30}`),
  behind('tavily-key', 'tvly-', `${WORD}{20}`),
  behind('firecrawl-key', 'fc-', `${HEX}{32}`, HEX),
  behind('fireworks-key', 'fw_', `${ALNUM}{20}`),
  behind('resend-key', 're_', `${ALNUM}{6,12}_${ALNUM}{18}`),
  behind('brevo-key', 'xkeysib-', `${HEX}{40}`, '[A-Za-z0-9-]'),
  behind('mailgun-key', 'key-', `${HEX}{32}(?!${ALNUM})`, NOTHING),
  behind('netlify-token', 'nfp_', `${ALNUM}{30}`),
  behind('fly-token', 'f[mo][12]_', `${WORD}{20}`, '[A-Za-z0-9_+/=,-]'),
  behind('vercel-token', 'vc[aikpr]_', `${ALNUM}{20}`),
  behind('notion-token', 'secret_', `${ALNUM}{43}`),
  behind('elevenlabs-key', 'sk_', `${HEX}{48}`, HEX),
  behind('e2b-key', 'e2b_', `${HEX}{40}`, HEX),
  behind('jina-key', 'jina_', `${HEX}{32}`),
  token('crates-token', 'cio', `${ALNUM}{32}(?!${ALNUM})`, NOTHING, isVaried),
  token('nuget-key', 'oy2', '[a-z0-9]{43}(?![A-Za-z0-9])', NOTHING, (value) => /[0-9]/.test(value.slice(3))),
  behind('vault-token', 's\\.', `${ALNUM}{24}(?!${ALNUM})`, NOTHING, isVaried),
  behind('voyage-key', 'pa-', `${WORD}{40}`, WORD, isVaried),
  token('brave-key', 'BSA', `${WORD}{27,28}(?!${WORD})`, NOTHING, isVaried),
  token('square-token', 'EAAA', `${WORD}{56}`, WORD, isVaried),
  { name: 'google-oauth', head: '1//', before: `${START}1//`, match: `0${WORD}{40}`, rest: WORD },
  { name: 'telegram-token', head: '[0-9]{8,10}:', before: `${START}[0-9]{8,10}:`, match: `AA${WORD}{33}`, rest: WORD },
  {
    name: 'discord-token',
    head: `[MNO]${WORD}{22,27}\\.${WORD}{6}\\.`,
    before: `${START}[MNO]${WORD}{22,27}\\.${WORD}{6}\\.`,
    match: `${WORD}{27}`,
    rest: WORD,
  },
  token('jwt', 'eyJ', `${WORD}{17,400}\\.${WORD}{8}`, '[A-Za-z0-9_.-]'),
  ...GLUED.map(
    ([name, head, body, rest = WORD]): TokenRule => ({ name, head, before: head, match: body, rest, isGlued: true }),
  ),
];

function token(name: string, head: string, body: string, rest?: Further, accept?: Accept): TokenRule {
  return { name, head, before: START, match: head + body, ...further(rest, accept) };
}

/** The head stays visible, because it is the beginning of words too: the text would have to wait for what follows it. */
function behind(name: string, head: string, body: string, rest?: Further, accept?: Accept): TokenRule {
  return { name, head, before: START + head, match: body, ...further(rest, accept) };
}

type Accept = (value: string) => boolean;

type Further = string | typeof NOTHING;

function further(rest: Further = WORD, accept?: Accept): Pick<Rule, 'rest' | 'accept'> {
  return { ...(rest && { rest }), ...(accept && { accept }) };
}

/** Letters of both cases and digits: for heads that are also those of words. */
function isVaried(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z].*[A-Z]/.test(value) && /[0-9]/.test(value) && !/A{6}/.test(value);
}
