/**
 * The quick look that lets clean text through: where a secret may start. Outside of these places no rule can match.
 *
 * Nearly all text is clean, so this is what redaction costs. Every token holds a long word, every other secret stands
 * behind a mark or a few telling words; long words are found by leaping, the others by `indexOf` of their rarest letters.
 */
import { KEY_BODY } from './key-block.js';
import { endsMarkedName, MARKED_NAME } from './name.js';
import { LEADS } from './rules.js';
import { LONG_WORD, TOKEN_RULES, type TokenRule } from './tokens.js';

/** Positions at which a secret may start, both included. */
export interface Span {
  from: number;
  to: number;
}

/** In order; the same empty list for clean text. Places before `from` are of no interest. */
export function findSuspects(text: string, from = 0): readonly Span[] {
  const near = Math.max(0, from - MARK_REACH);
  const far = Math.max(0, from - LEAD_REACH);
  const marked = text.length - far > SHORT_TEXT ? searchMarks(text, near, far) : lookForMarks(text, near, far);
  const found = lookAtLongWords(text, near, marked);
  return found?.sort((a, b) => a.from - b.from) ?? NONE;
}

type Found = Span[] | undefined;

const NONE: readonly Span[] = [];
/** From a mark to the value behind it: more marks, an arrow, space, a quote and its escapes, the word `Negotiate`. */
export const MARK_REACH = 30;
/** From the start of a head to the long word behind it. */
const HEAD_REACH = 40;
/** From the start of a lead to the secret behind it. */
export const LEAD_REACH = 160;
const SHORT_TEXT = 64;

function add(found: Found, from: number, to: number): Span[] {
  const spans = found ?? [];
  spans.push({ from: Math.max(0, from), to });
  return spans;
}

function searchMarks(text: string, near: number, far: number): Found {
  let found: Found;
  for (const { mark, isFar, look } of MARKS) {
    for (let at = text.indexOf(mark, isFar ? far : near); at >= 0; at = text.indexOf(mark, at + 1)) {
      found = look(text, at, found);
    }
  }
  return found;
}

/** The same where so many searches would cost more than one look at each character. */
function lookForMarks(text: string, near: number, far: number): Found {
  let found: Found;
  for (let at = far; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (FIRST_OF_MARK[code] !== 1) continue;
    for (const { mark, isFar, look } of MARKS_BY_FIRST.get(code) ?? []) {
      if ((isFar || at >= near) && text.startsWith(mark, at)) found = look(text, at, found);
    }
  }
  return found;
}

/** `<name>`; most of these marks are followed by a space or by another one. */
function lookAtBracket(text: string, at: number, found: Found): Found {
  return NO_CONTENT[text.charCodeAt(at + 1)] === 1 ? found : lookAtMark(text, at, found);
}

/** `name:`, `"name" =`. */
function lookAtMark(text: string, at: number, found: Found): Found {
  let end = at;
  while (end > 0 && at - end < 10 && BETWEEN[text.charCodeAt(end - 1)] === 1) end--;
  return endsMarkedName(text, end) ? add(found, at + 1, at + MARK_REACH) : found;
}

/** `--flag value`, `-u name:value`, ` -pvalue`, the dashes around a key. */
function lookAtDash(text: string, at: number, found: Found): Found {
  switch (text.charCodeAt(at + 1)) {
    case DASH:
      return lookBehind(FLAG, text, at, found);
    case SMALL_U:
      return lookBehind(USER, text, at, found);
    case SMALL_P:
      return lookBehind(GLUED_PASSWORD, text, at, lookBehind(PASSWORD, text, at, found));
    default:
      return found;
  }
}

function lookAtM(text: string, at: number, found: Found): Found {
  const next = text.charCodeAt(at + 1);
  return next === CAPITAL_I || next === CAPITAL_H ? lookBehind(BODY, text, at, found) : found;
}

/** The secret would start where the lead ends. */
function lookBehind(lead: RegExp, text: string, at: number, found: Found): Found {
  lead.lastIndex = at;
  return lead.test(text) ? add(found, lead.lastIndex, lead.lastIndex) : found;
}

const [DASH, SMALL_U, SMALL_P, CAPITAL_I, CAPITAL_H] = [45, 117, 112, 73, 72];

const URL = leadOf(LEADS.slackHook, LEADS.discordHook, LEADS.urlUser);
const HOST = leadOf(`://(?=[A-Za-z0-9_-]{${LONG_WORD}})`);
const FLAG = leadOf(`(?=${LEADS.keyBlock})`, LEADS.flag, LEADS.user);
const USER = leadOf(LEADS.user);
const PASSWORD = leadOf('-p[ \\t]{1,2}["\']?');
const GLUED_PASSWORD = leadOf('(?<=[ \\t])-p');
const TILDE = leadOf('(?<=[0-9]Q|sha256)~');
const BODY = leadOf(`(?=${KEY_BODY})`);
const ENVIRONMENT = leadOf('ENV[ \\t]{1,4}[A-Za-z0-9_-]{1,80}[ \\t]{1,4}["\']?');
const LOGIN = leadOf('(?<=pass)word[ \\t]{1,4}');

type Look = (text: string, at: number, found: Found) => Found;

/** What is looked for, and how; a far one may begin long before the secret. */
const MARKS: readonly { mark: string; isFar?: boolean; look: Look }[] = [
  { mark: ':', look: lookAtMark },
  { mark: '=', look: lookAtMark },
  { mark: '>', look: lookAtBracket },
  { mark: '~', look: (text, at, found) => lookBehind(TILDE, text, at, found) },
  { mark: 'M', look: lookAtM },
  { mark: 'word', look: (text, at, found) => lookBehind(LOGIN, text, at, found) },
  { mark: '://', isFar: true, look: (text, at, found) => lookBehind(HOST, text, at, lookBehind(URL, text, at, found)) },
  { mark: '-', isFar: true, look: lookAtDash },
  { mark: 'ENV', isFar: true, look: (text, at, found) => lookBehind(ENVIRONMENT, text, at, found) },
];

function leadOf(...sources: readonly string[]): RegExp {
  return new RegExp(sources.join('|'), 'y');
}

/** Leaps from one possible end of a long word to the next, so that short words are hardly looked at. */
function lookAtLongWords(text: string, from: number, found: Found): Found {
  let spans = found;
  let start = from;
  for (let end = start + LONG_WORD - 1; end < text.length; end = start + LONG_WORD - 1) {
    let at = end;
    while (at >= start && WORD[text.charCodeAt(at)] === 1) at--;
    if (at >= start) {
      start = at + 1;
      continue;
    }
    let stop = end + 1;
    while (stop < text.length && WORD[text.charCodeAt(stop)] === 1) stop++;
    if (isBehindHead(text, start) || HEAD.test(text.slice(start, stop))) spans = add(spans, start - HEAD_REACH, stop);
    start = stop + 1;
  }
  return spans;
}

function isBehindHead(text: string, start: number): boolean {
  if (JOINT[text.charCodeAt(start - 1)] !== 1) return false;
  BEHIND.lastIndex = start;
  return BEHIND.test(text);
}

/** A head that ends with a mark which is part of no word stands before the word. */
const isBefore = ({ head }: TokenRule) => /(?:\\\.|:|\/)$/.test(head);
const inWord = TOKEN_RULES.filter((rule) => !isBefore(rule));
const headsOf = (rules: readonly TokenRule[]) => rules.map((rule) => rule.head).join('|');
/** The head is in the word: at its start, behind the letter of an escape, or behind a joint of it; or anywhere. */
const HEAD = new RegExp(
  `(?:^[a-z]?|[_-])(?:${KEY_BODY}|${headsOf(inWord.filter((rule) => !rule.isGlued))})|${headsOf(inWord.filter((rule) => rule.isGlued))}`,
);
/** The head stands before the word. */
const BEHIND = new RegExp(`(?<=${LEADS.bearer}|${headsOf(TOKEN_RULES.filter(isBefore))})`, 'y');

/** What is tried at every mark and at every long word. */
export const LOOKS: readonly RegExp[] = [
  MARKED_NAME,
  HEAD,
  BEHIND,
  URL,
  HOST,
  FLAG,
  USER,
  PASSWORD,
  GLUED_PASSWORD,
].concat([TILDE, BODY, ENVIRONMENT, LOGIN]);

/** Quotes, their escapes, space and further marks between a name and its value. */
const BETWEEN = codesOf(' \t"\'`\\:=');
/** The last character of a head that stands before its word. */
const JOINT = codesOf('. \t:/');
const WORD = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-');

/** With this no content of an element begins that is a secret. */
const NO_CONTENT = codesOf(' \t\r\n<>"\'`{}$\\');
const FIRST_OF_MARK = codesOf(MARKS.map(({ mark }) => mark.charAt(0)).join(''));
const MARKS_BY_FIRST = new Map(
  MARKS.map(({ mark }) => [mark.charCodeAt(0), MARKS.filter((other) => other.mark.startsWith(mark.charAt(0)))]),
);

/** One flag per UTF-16 unit. */
function codesOf(letters: string): Uint8Array {
  const codes = new Uint8Array(65_536);
  for (const letter of letters) codes[letter.charCodeAt(0)] = 1;
  return codes;
}
