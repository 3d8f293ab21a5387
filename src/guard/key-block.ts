/** Private keys: the block with its header and footer, and the body alone, which is known by how such data begins. */
import type { Rule } from './rule.js';
import { LONG_WORD, START } from './tokens.js';

/** Also the lead by which the quick look finds a block. */
export const KEY_BLOCK = '-----BEGIN';

const BASE64 = '[A-Za-z0-9+/=]';
/** What may stand around a block's lines: quotes and escapes of source text, line numbers and marks of listings. */
const MARGIN = '[\\s0-9"\'`+\\\\nr,:|>\u2192-]';
const FIELD = '(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID): ';

/** Once it is sure that a key follows, all that looks like one is swallowed; a field's value may be anything up to its line's end. */
export const KEY_BLOCK_RULE: Rule = {
  name: 'private-key',
  before: START,
  match: `${KEY_BLOCK} (?:[A-Z0-9]{2,10} (?:ENCRYPTED )?)?PRIVATE KEY(?: BLOCK)?-----${MARGIN}{1,24}(?:${FIELD}|${BASE64}{${LONG_WORD}})`,
  piece: `${FIELD}[^\\n\\\\]{0,200}`,
  rest: '(?:[A-Za-z/=]|(?!-----)[\\s0-9"\'`+\\\\,:|>\u2192-])',
  until: '-----END [A-Z0-9 ]{0,40}-----',
};

/** How private keys begin as DER in base64: RSA and DSA, the same wrapped, EC of three sizes, wrapped ones, OpenSSH. */
const BODIES = [
  'MII[A-P][A-Za-z0-9+/][AQgw]IBAAK[BC]',
  'MII[A-P][A-Za-z0-9+/][AQgw]IBADANBgkqhkiG9w0BAQEFAAS',
  'MHcCAQEEI',
  'MI(?:GkAgEBBD|HcAgEBBE)',
  'MI[GH][A-Za-z0-9]AgEAMB[A-Z]GByqGSM49AgEG',
  'MC4CAQAwBQYDK2V',
  'b3BlbnNzaC1rZXktdjE',
];
export const KEY_BODY = `(?:${BODIES.join('|')})`;

/** A body without its header, on one line or on several; a last line that is short is known by its padding. */
export const KEY_BODY_RULES: readonly Rule[] = BODIES.map((head) => ({
  name: 'private-key',
  before: START,
  match: `${head}${BASE64}{${LONG_WORD}}`,
  piece: `(?:[\\r\\n]{1,2}|\\\\[rn])[ \\t]{0,12}(?:[A-Za-z0-9+/]{40}|[A-Za-z0-9+/]{2,39}=)`,
  rest: BASE64,
}));
