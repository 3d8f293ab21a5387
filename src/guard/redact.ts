/** Redaction of text with one set of rules, whole or while it arrives; `scan.ts` does the work. */
import { refuseUnknown } from '../event/option.js';
import { createCalm } from './calm.js';
import { checkRule } from './check-rule.js';
import { compile, openSource, type Pattern, wholeSource } from './pattern.js';
import type { Rule } from './rule.js';
import { CONTEXT_RULES, PROPERTY_RULE, WORD_RULES } from './rules.js';
import { createScan, type Redactor } from './scan.js';
import { findSuspects, type Span } from './suspect.js';
import { withoutNul } from './utf8.js';

export interface Redaction {
  /** False when `redact` would surely return the same string; a quick look. */
  mayChange(text: string): boolean;
  /** The same string when it holds no secret. */
  redact(text: string): string;
  /** For a text that arrives in pieces. */
  createRedactor(): Redactor;
}

/** `json` is for the JSON text of a tool's input, where the names of properties tell more. */
export type TextKind = 'text' | 'json';

/** Expressions this large are costly to compile, and every run needs the same ones. */
const made = new WeakMap<readonly Rule[], Map<TextKind, Redaction>>();
const NO_RULES: readonly Rule[] = [];

export function redactionOf(kind: TextKind, extra: readonly Rule[] = NO_RULES): Redaction {
  const key = extra.length > 0 ? extra : NO_RULES;
  let kinds = made.get(key);
  if (!kinds) {
    for (const rule of extra) checkRule(rule);
    kinds = new Map();
    made.set(key, kinds);
  }
  const redaction = kinds.get(kind) ?? createRedaction(kind, extra);
  kinds.set(kind, redaction);
  return redaction;
}

export interface RedactOptions {
  /** False shows secrets. Default true. */
  redact?: boolean | undefined;
  /** Further rules, for secrets that only you know. */
  rules?: readonly Rule[] | undefined;
}

const REDACT_NAMES = { redact: true, rules: true } as const;

/** Replaces every secret, for text that reaches people outside of events or is taken apart before it is in one. */
export function redactText(text: string, options: RedactOptions = {}): string {
  refuseUnknown('redactText', options, REDACT_NAMES);
  const { redact = true, rules } = options;
  return redact ? redactionOf('text', rules).redact(text) : text;
}

/** The same for text that arrives in pieces; what may become a secret is held back until it is clear. */
export function createRedactor(options: RedactOptions = {}): Redactor {
  refuseUnknown('createRedactor', options, REDACT_NAMES);
  const { redact = true, rules } = options;
  const redactor = redact ? redactionOf('text', rules).createRedactor() : AS_IT_IS;
  return { push: (text) => redactor.push(withoutNul(text)), end: (text = '') => redactor.end(withoutNul(text)) };
}

const AS_IT_IS: Redactor = { push: (text) => text, end: (text = '') => text };

function createRedaction(kind: TextKind, extra: readonly Rule[]): Redaction {
  const named = kind === 'json' ? [PROPERTY_RULE] : [];
  let pattern: Pattern | undefined;
  /** Many a run prints nothing that has to be looked at with it. */
  const patternOf = (): Pattern => {
    pattern ??= compile(WORD_RULES, [...named, ...CONTEXT_RULES, ...extra]);
    return pattern;
  };
  const isOwn = extra.length > 0;
  const search = isOwn ? searchFor(extra) : undefined;
  const suspectsIn = search
    ? (text: string, from: number) => inOrder([...findSuspects(text, from), ...search.spans(text)])
    : findSuspects;
  // What rules of others look for, nothing short of a search can tell.
  const createRedactor = () =>
    createScan({ patternOf, suspectsIn, firstOpen: search?.firstOpen, calm: search ? undefined : createCalm() });
  const mayChange = (text: string) => (text.length >= SHORTEST || isOwn) && suspectsIn(text, 0).length > 0;
  return { mayChange, redact: (text) => (mayChange(text) ? createRedactor().end(text) : text), createRedactor };
}

/** Of texts that hold a secret by the common rules: `PWD=abcd`. */
const SHORTEST = 8;

/** Rules that the quick look does not know are searched for one by one. */
function searchFor(rules: readonly Rule[]) {
  const starts = new RegExp(`(?=${wholeSource(rules)})`, 'g');
  const opens = new RegExp(openSource(rules), 'g');
  return {
    spans: (text: string): Span[] => [...text.matchAll(starts)].map(({ index }) => ({ from: index, to: index })),
    firstOpen(text: string, from: number): number {
      opens.lastIndex = from;
      return opens.exec(text)?.index ?? text.length;
    },
  };
}

function inOrder(spans: Span[]): Span[] {
  return spans.sort((a, b) => a.from - b.from);
}
