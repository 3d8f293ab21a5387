/**
 * Goes over a text that arrives in pieces and replaces its secrets.
 *
 * Every split of a text gives the same result: a match is settled only when no further text could change it, and until
 * then it is held back. Never more is held than the longest `match` of a rule.
 *
 * It always ends, soon: what a rule may do at one place is counted before it is used (`worst-case.ts`), and the places
 * are counted here. A text with too many of them is withheld.
 */
import { type Calm, SEARCH } from './calm.js';
import { MAX_REST, type Pattern } from './pattern.js';
import { LOOK_BACK, MAX_OPEN } from './rule.js';
import type { Span } from './suspect.js';

export interface Redactor {
  /** What can be shown now. */
  push(text: string): string;
  /** What was still held back, and the last piece. */
  end(text?: string): string;
}

export interface ScanOptions {
  /** Asked for with the first text: to make it is costly. */
  patternOf(): Pattern;
  /** Where secrets may start from a position on, in order. One position is exact, in others the starts of words count. */
  suspectsIn(text: string, from: number): readonly Span[];
  /** For rules that may start inside a word: the first position that further text could make the start of a secret. */
  firstOpen?: ((text: string, from: number) => number) | undefined;
  /** Lets pieces pass that need no search. */
  calm?: Calm | undefined;
  /** So many places of one piece are looked at. */
  maxPlaces?: number;
}

/** More than a megabyte of settings has; a text that was made to be slow has more. */
export const MAX_PLACES = 262_144;
export const WITHHELD = '[withheld: this text has too many places that may be secrets, so the rest of it is not shown]';

export function createScan({ patternOf, suspectsIn, firstOpen, calm, maxPlaces = MAX_PLACES }: ScanOptions): Redactor {
  /** Text already shown that a rule may look back at, and some more: it is put together when somebody does. */
  let before = '';
  let held = '';
  /** Index of the rule whose secret goes on, and how much of it was swallowed. */
  let inside = -1;
  let swallowed = 0;
  /** For good: what was not looked at may go on in the next piece. */
  let isWithheld = false;

  return { push: (text) => advance(text, false), end: (text = '') => advance(text, true) };

  function advance(text: string, final: boolean): string {
    if (isWithheld) return '';
    const pattern = patternOf();
    const free = calm?.add(text, held, pattern) ?? SEARCH;
    if (free !== SEARCH && inside < 0 && !final) return release(held === '' ? text : held + text, free);
    const lead = before.slice(-LOOK_BACK);
    const window = lead + held + text;
    const suspects = suspectsIn(window, lead.length);
    const search = createSearch(pattern.whole, window, suspects, maxPlaces);
    let open = final ? window.length : -1;
    let shown = '';
    let at = lead.length;
    for (;;) {
      if (inside >= 0) at = swallow(pattern, window, at, final);
      if (inside >= 0) break;
      const start = search.next(at);
      if (search.places() > maxPlaces) {
        isWithheld = true;
        return shown + WITHHELD;
      }
      if (open < at) open = openFrom(pattern, window, at, suspects);
      if (open <= start) {
        shown += window.slice(at, open);
        at = open;
        break;
      }
      const secret = secretAt(pattern, start, window);
      shown += window.slice(at, start);
      shown += secret ? `[redacted:${pattern.rules[secret.rule]?.name}]` : window.charAt(start);
      at = start + (secret?.length ?? 1);
      if (secret && pattern.rest[secret.rule]) inside = secret.rule;
    }
    before = window.slice(Math.max(0, at - LOOK_BACK), at);
    held = window.slice(at);
    return shown;
  }

  /** Shows so much of a text in which there is nothing to search for. */
  function release(text: string, free: number): string {
    const shown = free === text.length ? text : text.slice(0, free);
    held = free === text.length ? '' : text.slice(free);
    before = before.length < MOST_BEFORE ? before + shown : before.slice(-LOOK_BACK) + shown;
    return shown;
  }

  /** Gives where the first match from a position on starts, or where the window ends; positions may only grow. */
  function createSearch(expression: RegExp, window: string, spans: readonly Span[], limit = Infinity) {
    if (spans.length === 0) return NO_SEARCH;
    let places = 0;
    // Exact places may lie within a wide span and between the starts of its words, so each kind goes at its own pace.
    const inWords = createWalk(spans.filter(({ from, to }) => from < to));
    const inPlaces = createWalk(spans.filter(({ from, to }) => from === to));
    return {
      places: () => places,
      next: (at: number): number => Math.min(inWords(at), inPlaces(at)),
    };

    function createWalk(spans: readonly Span[]) {
      let span = 0;
      let found = -1;
      return (at: number): number => {
        if (found >= at) return found;
        for (; span < spans.length; span++) {
          const { from, to } = spans[span] ?? NOWHERE;
          for (let start = Math.max(at, from); start <= to && start < window.length; start++) {
            if (from < to && !firstOpen && !isWordStart(window, start)) continue;
            places++;
            if (places > limit) return window.length;
            expression.lastIndex = start;
            if (!expression.test(window)) continue;
            found = start;
            return found;
          }
        }
        found = window.length;
        return found;
      };
    }
  }

  /** The first rule that accepts what it finds at this place. */
  function secretAt(pattern: Pattern, at: number, window: string): { rule: number; length: number } | undefined {
    const groups = matchAt(pattern.named, window, at) ?? [];
    const lead = window.slice(Math.max(0, at - LOOK_BACK), at);
    const first = groups.findIndex((group, index) => index > 0 && group !== undefined) - 1;
    for (let rule = first; rule < pattern.rules.length; rule++) {
      const value = rule === first ? groups[0] : matchAt(pattern.single[rule], window, at)?.[0];
      if (value !== undefined && (pattern.rules[rule]?.accept?.(value, lead) ?? true)) {
        return { rule, length: value.length };
      }
    }
    return undefined;
  }

  /** The first position that further text could still make the start of a secret: in the last word or a known place. */
  function openFrom(pattern: Pattern, window: string, at: number, suspects: readonly Span[]): number {
    const earliest = Math.max(at, window.length - MAX_OPEN);
    let word = window.length;
    while (word > earliest && !isSpace(window.charCodeAt(word - 1))) word--;
    while (word < window.length && !(isWordStart(window, word) && pattern.isOpenWord(window, word))) word++;
    const inPlace = createSearch(pattern.open, window, suspects).next(earliest);
    const first = Math.min(word, inPlace);
    return firstOpen ? Math.min(first, firstOpen(window, earliest)) : first;
  }

  /** Goes over the rest of a secret; `inside` stays when more of it may come. */
  function swallow(pattern: Pattern, window: string, at: number, final: boolean): number {
    const until = pattern.until[inside];
    const openUntil = final ? undefined : pattern.openUntil[inside];
    // Only the end of the window can be such a beginning; looking at all of it each time would be quadratic.
    const earliest = Math.max(at, window.length - MAX_OPEN);
    const waiting = (openUntil && searchFrom(openUntil, window, earliest)?.index) ?? window.length;
    const rest = matchAt(pattern.rest[inside], window, at)?.[0].length ?? 0;
    const end = Math.min(at + rest, at + MAX_REST - swallowed, waiting);
    swallowed += end - at;
    const ending = matchAt(until, window, end)?.[0].length;
    if (ending === undefined && end === waiting && !final) return end;
    inside = -1;
    swallowed = 0;
    return end + (ending ?? 0);
  }
}

/** Of text that nobody looked back at. */
const MOST_BEFORE = 2048;
const NOWHERE: Span = { from: 0, to: -1 };
const NO_SEARCH = { places: () => 0, next: (_at: number): number => Number.POSITIVE_INFINITY };

function matchAt(sticky: RegExp | undefined, text: string, at: number): RegExpExecArray | null {
  return sticky ? searchFrom(sticky, text, at) : null;
}

function searchFrom(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

/** Not behind a letter or digit, or behind the letter of an escape: where secrets start. */
function isWordStart(text: string, at: number): boolean {
  return !isAlnum(text.charCodeAt(at - 1)) || text.charCodeAt(at - 2) === 92;
}

function isAlnum(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}
