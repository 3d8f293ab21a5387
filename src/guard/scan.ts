/**
 * Goes over a text that arrives in pieces and replaces its secrets.
 *
 * Every split of a text gives the same result: a match is settled only when no further text could change it, and until
 * then it is held back. Never more is held than the longest `match` of a rule.
 */
import { MAX_REST, type Pattern } from './pattern.js';
import type { Span } from './suspect.js';

export interface Redactor {
  /** What can be shown now. */
  push(text: string): string;
  /** What was still held back, and the last piece. */
  end(text?: string): string;
}

export interface ScanOptions {
  pattern: Pattern;
  /** Where secrets may start from a position on, in order. One position is exact, in others the starts of words count. */
  suspectsIn(text: string, from: number): readonly Span[];
  /** For rules that may start inside a word: the first position that further text could make the start of a secret. */
  firstOpen?(text: string, from: number): number;
}

/** How far back a rule may look for what stands before a secret. */
const LOOK_BACK = 160;
/** No rule's `match` is longer, so what lies further back cannot become a secret any more. */
const MAX_OPEN = 640;

export function createScan({ pattern, suspectsIn, firstOpen }: ScanOptions): Redactor {
  /** Text already shown that a rule may look back at. */
  let before = '';
  let held = '';
  /** Index of the rule whose secret goes on, and how much of it was swallowed. */
  let inside = -1;
  let swallowed = 0;

  return { push: (text) => advance(text, false), end: (text = '') => advance(text, true) };

  function advance(text: string, final: boolean): string {
    const window = before + held + text;
    const suspects = suspectsIn(window, before.length);
    const findMatch = createSearch(pattern.whole, window, suspects);
    let open = final ? window.length : -1;
    let shown = '';
    let at = before.length;
    for (;;) {
      if (inside >= 0) at = swallow(window, at, final);
      if (inside >= 0) break;
      const match = findMatch(at);
      if (open < at) open = openFrom(window, at, suspects);
      if (match === undefined || open <= match.index) {
        shown += window.slice(at, open);
        at = open;
        break;
      }
      const index = match.findIndex((group, index) => index > 0 && group !== undefined) - 1;
      const rule = pattern.rules[index];
      const isSecret = rule?.accept?.(match[0]) ?? true;
      shown += window.slice(at, match.index) + (isSecret ? `[redacted:${rule?.name}]` : match[0].charAt(0));
      at = match.index + (isSecret ? match[0].length : 1);
      if (isSecret && pattern.rest[index]) inside = index;
    }
    before = window.slice(Math.max(0, at - LOOK_BACK), at);
    held = window.slice(at);
    return shown;
  }

  /** Gives the first match from a position on; positions may only grow. */
  function createSearch(expression: RegExp, window: string, spans: readonly Span[]) {
    let next = 0;
    return (at: number): RegExpExecArray | undefined => {
      for (; next < spans.length; next++) {
        const { from, to } = spans[next] ?? NOWHERE;
        for (let start = Math.max(at, from); start <= to && start < window.length; start++) {
          if (from < to && !firstOpen && !isWordStart(window, start)) continue;
          const match = matchAt(expression, window, start);
          if (match) return match;
        }
      }
      return undefined;
    };
  }

  /** The first position that further text could still make the start of a secret: in the last word or a known place. */
  function openFrom(window: string, at: number, suspects: readonly Span[]): number {
    const earliest = Math.max(at, window.length - MAX_OPEN);
    let word = window.length;
    while (word > earliest && !isSpace(window.charCodeAt(word - 1))) word--;
    const inWord = createSearch(pattern.openWord, window, [{ from: word, to: window.length }])(earliest);
    const inPlace = createSearch(pattern.open, window, suspects)(earliest);
    const first = Math.min(inWord?.index ?? window.length, inPlace?.index ?? window.length);
    return firstOpen ? Math.min(first, firstOpen(window, earliest)) : first;
  }

  /** Goes over the rest of a secret; `inside` stays when more of it may come. */
  function swallow(window: string, at: number, final: boolean): number {
    const until = pattern.until[inside];
    const openUntil = final ? undefined : pattern.openUntil[inside];
    const waiting = (openUntil && searchFrom(openUntil, window, at)?.index) ?? window.length;
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

const NOWHERE: Span = { from: 0, to: -1 };

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
