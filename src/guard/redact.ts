/** Redaction of text with one set of rules, whole or while it arrives; `scan.ts` does the work. */
import { GlassboxError } from '../event/index.js';
import { compile, openSource, wholeSource } from './pattern.js';
import { CONTEXT_RULES, PROPERTY_RULE, type Rule, WORD_RULES } from './rules.js';
import { createScan, type Redactor } from './scan.js';
import { findSuspects, type Span } from './suspect.js';

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

const common = new Map<TextKind, Redaction>();

export function redactionOf(kind: TextKind, extra: readonly Rule[] = []): Redaction {
  if (extra.length > 0) {
    checkRules(extra);
    return createRedaction(kind, extra);
  }
  // Expressions this large are costly to compile, and every run needs the same ones.
  const redaction = common.get(kind) ?? createRedaction(kind, []);
  common.set(kind, redaction);
  return redaction;
}

/** Replaces every secret that the common rules know, for text that reaches people outside of events. */
export function redactText(text: string): string {
  return redactionOf('text').redact(text);
}

function createRedaction(kind: TextKind, extra: readonly Rule[]): Redaction {
  const named = kind === 'json' ? [PROPERTY_RULE] : [];
  const pattern = compile(WORD_RULES, [...named, ...CONTEXT_RULES, ...extra]);
  const isOwn = extra.length > 0;
  const search = isOwn ? searchFor(extra) : undefined;
  const suspectsIn = search
    ? (text: string, from: number) => inOrder([...findSuspects(text, from), ...search.spans(text)])
    : findSuspects;
  const createRedactor = () => createScan({ pattern, suspectsIn, firstOpen: search?.firstOpen });
  const mayChange = (text: string) => (text.length >= SHORTEST || isOwn) && suspectsIn(text, 0).length > 0;
  return { mayChange, redact: (text) => (mayChange(text) ? createRedactor().end(text) : text), createRedactor };
}

function checkRules(rules: readonly Rule[]): void {
  for (const rule of rules) {
    // With an empty alternative it always matches, and shows how many groups there are.
    const groups = isExpression(rule) ? new RegExp(`${wholeSource([rule])}|`).exec('')?.length : undefined;
    if (groups === 2) continue;
    const next = 'it must be a valid expression without capturing groups';
    throw new GlassboxError('invalid-request', `The guard's rule ${rule.name} cannot be used: ${next}.`);
  }
}

function isExpression(rule: Rule): boolean {
  try {
    compile([], [rule]);
    return true;
  } catch {
    return false;
  }
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
