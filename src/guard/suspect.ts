/**
 * The quick look that lets clean text through: where a secret may start. Outside of these places no rule can match.
 *
 * Nearly all text is clean, so this is what redaction costs. Every token holds a long word, every other secret stands
 * behind a `:`, a `=` or a dash; long words are found by leaping, the marks by `indexOf`.
 */
import { endsSecretName } from './credential.js';
import { LEADS, LONG_WORD, TOKEN_RULES } from './rules.js';

/** Positions at which a secret may start, both included. */
export interface Span {
  from: number;
  to: number;
}

/** In order; the same empty list for clean text. Places before `from` are of no interest. */
export function findSuspects(text: string, from = 0): readonly Span[] {
  const near = Math.max(0, from - MARK_REACH);
  let found = lookAtMarks(text, ':', near, lookAtMarks(text, '=', near, undefined));
  found = lookBehindLead(text, '--', FLAG_LEAD, found);
  if (text.includes(':')) {
    found = lookBehindLead(text, '://', URL_LEAD, found);
    found = lookBehindLead(text, '-u', USER_LEAD, found);
  }
  found = lookAtLongWords(text, near, found);
  return found?.sort((a, b) => a.from - b.from) ?? NONE;
}

type Found = Span[] | undefined;

const NONE: readonly Span[] = [];
/** From a mark to the value behind it: more marks, an arrow, space, a quote and its escapes, the word `Negotiate`. */
const MARK_REACH = 30;
/** From the start of a dotted head to the long word behind it. */
const HEAD_REACH = 24;

function add(found: Found, from: number, to: number): Span[] {
  const spans = found ?? [];
  spans.push({ from: Math.max(0, from), to });
  return spans;
}

/** `name:`, `"name" =`. */
function lookAtMarks(text: string, mark: string, from: number, found: Found): Found {
  let spans = found;
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at + 1)) {
    let end = at;
    while (end > 0 && at - end < 10 && BETWEEN[text.charCodeAt(end - 1)] === 1) end--;
    if (endsSecretName(text, end)) spans = add(spans, at + 1, at + MARK_REACH);
  }
  return spans;
}

function lookBehindLead(text: string, mark: string, lead: RegExp, found: Found): Found {
  let spans = found;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
    lead.lastIndex = at;
    if (lead.test(text)) spans = add(spans, lead.lastIndex, lead.lastIndex);
  }
  return spans;
}

const URL_LEAD = new RegExp(`${LEADS.slackHook}|${LEADS.discordHook}|${LEADS.urlUser}`, 'y');
const FLAG_LEAD = new RegExp(`(?=${LEADS.keyBlock})|${LEADS.flag}|${LEADS.user}`, 'y');
const USER_LEAD = new RegExp(LEADS.user, 'y');

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

const HEADS = TOKEN_RULES.map((rule) => rule.head);
const isDotted = (head: string) => head.includes('\\.');
/** The head is in the word: at its start, behind the letter of an escape, or behind a joint of it. */
const HEAD = new RegExp(`(?:^[a-z]?|[_-])(?:${HEADS.filter((head) => !isDotted(head)).join('|')})`);
/** The head stands before the word. */
const BEHIND = new RegExp(`(?<=${LEADS.bearer}|${HEADS.filter(isDotted).join('|')})`, 'y');

/** Quotes, their escapes, space and further marks between a name and its value. */
const BETWEEN = codesOf(' \t"\'`\\:=');
/** The last character of a head that stands before its word. */
const JOINT = codesOf('. \t');
const WORD = codesOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-');

/** One flag per UTF-16 unit. */
function codesOf(letters: string): Uint8Array {
  const codes = new Uint8Array(65_536);
  for (const letter of letters) codes[letter.charCodeAt(0)] = 1;
  return codes;
}
