/** Turns rules into expressions: for whole secrets, and for what the end of a text may still become. */
import { edgeLetters, type Letters, OTHERS, parseExpression } from './expression.js';
import type { Rule } from './rule.js';

export interface Pattern {
  readonly rules: readonly Rule[];
  /** Matches a secret of any rule at a position. Without a group per rule: an engine has to clear all of them at each attempt. */
  readonly whole: RegExp;
  /** The same with those groups, in order: the first one that took part names the rule. */
  readonly named: RegExp;
  /** Per rule: the same for it alone. */
  readonly single: readonly RegExp[];
  /** Matches at a position if further text could make a secret of all that follows, or a longer one. */
  readonly open: RegExp;
  /** Whether the same is true for a rule that needs no known place before it matches. */
  isOpenWord(text: string, at: number): boolean;
  /** What was found of the first two letters of words, by `calm.ts`. */
  readonly openPairs: Uint8Array;
  /** Per rule: as many further characters as belong to the secret. */
  readonly rest: readonly (RegExp | undefined)[];
  /** Per rule: what ends it, and the end of a text that further text could complete to it or to a piece. */
  readonly until: readonly (RegExp | undefined)[];
  readonly openUntil: readonly (RegExp | undefined)[];
}

/** Even a key block that never ends is not swallowed for longer. */
export const MAX_REST = 65_536;

export function compile(wordRules: readonly Rule[], placedRules: readonly Rule[]): Pattern {
  const rules = [...wordRules, ...placedRules];
  return {
    rules,
    whole: new RegExp(wholeSource(rules), 'y'),
    named: new RegExp(
      alternatives(rules, (rule) => `(${rule.match})`),
      'y',
    ),
    single: rules.map((rule) => new RegExp(wholeSource([rule]), 'y')),
    open: new RegExp(openSource(rules), 'y'),
    isOpenWord: createOpenWord(wordRules),
    openPairs: new Uint8Array(OTHERS * OTHERS),
    rest: rules.map(({ rest, piece }) => sticky(rest && `(?:${either(piece, rest)}){0,${MAX_REST}}`)),
    until: rules.map(({ until }) => sticky(until)),
    openUntil: rules.map(({ piece, until }) => {
      const source = either(piece, until);
      return source === '' ? undefined : new RegExp(`(?:${prefixOf(source)})$`, 'g');
    }),
  };
}

/** This is asked at every word of a text that arrives, so only those rules are tried that this word could begin. */
function createOpenWord(rules: readonly Rule[]): Pattern['isOpenWord'] {
  /** Read when the first text arrives in pieces: whole ones never ask. */
  let known: readonly Edges[] | undefined;
  /** By the first character of the word, behind a space or not: that is enough, most words stand behind one. */
  const behindSpace = new Map<number, RegExp | undefined>();
  const elsewhere = new Map<number, RegExp | undefined>();
  const make = (isBehindSpace: boolean, symbol: number): RegExp | undefined => {
    known ??= rules.map(edgesOf);
    const fitting = known.filter(({ first, before }) => first[symbol] === 1 && (!isBehindSpace || before[SPACE] === 1));
    return fitting.length === 0 ? undefined : new RegExp(openSource(fitting.map(({ rule }) => rule)), 'y');
  };
  return (text, at) => {
    const isBehindSpace = text.charCodeAt(at - 1) === SPACE;
    const symbol = Math.min(text.charCodeAt(at), OTHERS);
    const made = isBehindSpace ? behindSpace : elsewhere;
    let expression = made.get(symbol);
    if (expression === undefined && !made.has(symbol)) {
      expression = make(isBehindSpace, symbol);
      made.set(symbol, expression);
    }
    if (expression === undefined) return false;
    expression.lastIndex = at;
    return expression.test(text);
  };
}

interface Edges {
  rule: Rule;
  first: Letters;
  before: Letters;
}

function edgesOf(rule: Rule): Edges {
  const before = edgeLetters(parseExpression(rule.before ?? ''), 'last');
  return { rule, first: edgeLetters(parseExpression(rule.match), 'first'), before };
}

const SPACE = 32;

function sticky(source: string | undefined): RegExp | undefined {
  return source ? new RegExp(source, 'y') : undefined;
}

function either(...sources: readonly (string | undefined)[]): string {
  return sources.filter((source) => source !== undefined).join('|');
}

export function wholeSource(rules: readonly Rule[]): string {
  return alternatives(rules, (rule) => rule.match);
}

export function openSource(rules: readonly Rule[]): string {
  return `(?:${alternatives(rules, (rule) => prefixOf(rule.match))})$`;
}

/** Neighbours that must stand behind the same thing share one look back. */
function alternatives(rules: readonly Rule[], source: (rule: Rule) => string): string {
  const groups: { before: string; matches: string[] }[] = [];
  for (const rule of rules) {
    const before = rule.before ?? '';
    const last = groups.at(-1);
    if (last?.before === before) last.matches.push(source(rule));
    else groups.push({ before, matches: [source(rule)] });
  }
  return groups.map(({ before, matches }) => `(?<=${before})(?:${matches.join('|')})`).join('|');
}

/**
 * The expression that also matches any beginning of a match at the end of the text: every atom may instead be the end.
 * What must follow a match becomes part of it, because it may be the part that is still missing. What must not follow
 * stays as it is; there the answer is only yes more often.
 */
export function prefixOf(source: string): string {
  return withEach(source, '$');
}

/** The same for any ending of a match at the start of the text. */
export function suffixOf(source: string): string {
  return withEach(source, '^');
}

function withEach(source: string, edge: '^' | '$'): string {
  return source.replace(PARTS, (part) => {
    if (part === '(?=') return '(?:';
    return STRUCTURE.test(part) ? part : `(?:${part}|${edge})`;
  });
}

const CLASS = String.raw`\[(?:\\.|[^\]\\])*\]`;
const PARTS = new RegExp(
  String.raw`\(\?!(?:\\.|${CLASS}|[^()[\]\\])*\)|\(\?[:=]|\{\d+,?\d*\}|[()|?*+]|\\u[0-9a-f]{4}|\\.|${CLASS}|.`,
  'gs',
);
const STRUCTURE = /^(?:[()|?*+]|\{\d)/;
