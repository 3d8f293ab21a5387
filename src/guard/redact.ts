/**
 * Replaces the secrets in a text, whole or while it arrives.
 *
 * Both ways give the same result for every split: a match is settled only when no further text could change it, and
 * until then it is held back.
 */
import { compile, type Pattern } from './pattern.js';
import { CONTEXT_RULES, PROPERTY_RULE, type Rule, TOKEN_RULES } from './rules.js';
import { isSuspect } from './suspect.js';

/** One set of rules at work. */
export interface Redaction {
  /** False when `redact` would surely return the same string; a quick look. */
  mayChange(text: string): boolean;
  /** The same string when it holds no secret. */
  redact(text: string): string;
  /** For a text that arrives in pieces. */
  createRedactor(): Redactor;
}

export interface Redactor {
  /** What can be shown now. */
  push(text: string): string;
  /** What was still held back, and the last piece. */
  end(text?: string): string;
}

/** Redaction of text, or of the JSON text of a tool's input, where the names of properties tell more. */
export function createRedaction(kind: 'text' | 'json' = 'text', extra: readonly Rule[] = []): Redaction {
  const named = kind === 'json' ? [PROPERTY_RULE] : [];
  const pattern = compile([...TOKEN_RULES, ...extra, ...named, ...CONTEXT_RULES]);
  const extraPattern = extra.length > 0 ? compile(extra).whole : undefined;
  const mayChange = (text: string) => isSuspect(text) || (extraPattern !== undefined && text.search(extraPattern) >= 0);
  const createRedactor = () => createScan(pattern, mayChange, extra.length > 0);
  return { mayChange, redact: (text) => (mayChange(text) ? createRedactor().end(text) : text), createRedactor };
}

let common: Redaction | undefined;

/** Replaces every secret that the common rules know, for text that reaches people outside of events. */
export function redactText(text: string): string {
  common ??= createRedaction();
  return common.redact(text);
}

/** How far back a rule may look for what stands before a secret. */
const LOOK_BACK = 160;
/** No rule's `match` is longer, so what lies further back cannot become a secret any more. */
const MAX_OPEN = 640;
/** Even a key block that never ends is not swallowed for longer. */
const MAX_REST = 65_536;

function createScan(pattern: Pattern, mayChange: (text: string) => boolean, openAnywhere: boolean): Redactor {
  /** Text already shown that a rule may look back at. */
  let before = '';
  let held = '';
  /** Index of the rule whose secret goes on, and how much of it was swallowed. */
  let inside = -1;
  let swallowed = 0;

  return { push: (text) => advance(text, false), end: (text = '') => advance(text, true) };

  function advance(text: string, final: boolean): string {
    const window = before + held + text;
    const suspect = mayChange(window);
    let shown = '';
    let at = before.length;
    let open = final ? window.length : -1;
    for (;;) {
      if (inside >= 0) at = swallow(window, at, final);
      if (inside >= 0) break;
      const match = suspect ? find(pattern.whole, window, at) : null;
      if (open < at) open = openFrom(window, at);
      const touchesEnd = !final && match !== null && match.index + match[0].length === window.length;
      const settled = touchesEnd ? Math.min(open, match.index) : open;
      if (match === null || settled <= match.index) {
        shown += window.slice(at, settled);
        at = settled;
        break;
      }
      const rule = match.findIndex((group, index) => index > 0 && group !== undefined) - 1;
      const accepted = pattern.rules[rule]?.accept?.(match[0]) ?? true;
      shown +=
        window.slice(at, match.index) + (accepted ? `[redacted:${pattern.rules[rule]?.name}]` : match[0].charAt(0));
      at = match.index + (accepted ? match[0].length : 1);
      if (accepted && pattern.rest[rule]) inside = rule;
    }
    before = window.slice(Math.max(0, at - LOOK_BACK), at);
    held = window.slice(at);
    return shown;
  }

  /** The first position that further text could still make part of a secret. */
  function openFrom(window: string, at: number): number {
    const earliest = Math.max(at, window.length - MAX_OPEN);
    let start = earliest;
    if (!openAnywhere) {
      // Only key blocks hold white space before they are certain, so all else is in the last word.
      start = window.length;
      while (start > earliest && !isSpace(window.charCodeAt(start - 1))) start--;
      const block = window.indexOf('-----BEGIN', earliest);
      if (block >= 0 && block < start) start = block;
    }
    return start < window.length ? (find(pattern.open, window, start)?.index ?? window.length) : start;
  }

  /** Goes over the rest of a secret; `inside` stays when more of it may come. */
  function swallow(window: string, at: number, final: boolean): number {
    const until = pattern.until[inside];
    const openUntil = pattern.openUntil[inside];
    let end = at;
    const rest = pattern.rest[inside];
    if (rest) {
      rest.lastIndex = at;
      rest.test(window);
      end = Math.min(rest.lastIndex, at + MAX_REST - swallowed);
    }
    const open = openUntil && !final ? (find(openUntil, window, at)?.index ?? window.length) : window.length;
    if (open < end) end = open;
    swallowed += end - at;
    if (end === window.length && !final) return end;
    if (until) {
      until.lastIndex = end;
      if (until.test(window)) end = until.lastIndex;
      else if (end === open && !final) return end;
    }
    inside = -1;
    swallowed = 0;
    return end;
  }
}

function find(pattern: RegExp, text: string, from: number): RegExpExecArray | null {
  pattern.lastIndex = from;
  return pattern.exec(text);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0;
}
