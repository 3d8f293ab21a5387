/** Turns rules into expressions: for whole secrets, and for what the end of a text may still become. */
import type { Rule } from './rules.js';

export interface Pattern {
  readonly rules: readonly Rule[];
  /** Matches a secret at a position; one capturing group per rule, in order: the one that took part names the rule. */
  readonly whole: RegExp;
  /** Matches at a position if further text could make a secret of all that follows, or a longer one. */
  readonly open: RegExp;
  /** The same for rules that need no known place before they match. */
  readonly openWord: RegExp;
  /** Per rule: as many further characters as belong to the secret. */
  readonly rest: readonly (RegExp | undefined)[];
  /** Per rule: what ends it, and the end of a text that further text could complete to it. */
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
    open: new RegExp(openSource(rules), 'y'),
    openWord: new RegExp(openSource(wordRules), 'y'),
    rest: rules.map(({ rest }) => (rest ? new RegExp(`(?:${rest}){0,${MAX_REST}}`, 'y') : undefined)),
    until: rules.map(({ until }) => (until ? new RegExp(until, 'y') : undefined)),
    openUntil: rules.map(({ until }) => (until ? new RegExp(`${prefixOf(until)}$`, 'g') : undefined)),
  };
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
    if (last?.before === before) last.matches.push(`(${source(rule)})`);
    else groups.push({ before, matches: [`(${source(rule)})`] });
  }
  return groups.map(({ before, matches }) => `(?<=${before})(?:${matches.join('|')})`).join('|');
}

/**
 * The expression that also matches any beginning of a match at the end of the text: every atom may instead be the end.
 * What must follow a match becomes part of it, because it may be the part that is still missing. What must not follow
 * stays as it is; there the answer is only yes more often.
 */
function prefixOf(source: string): string {
  return source.replace(PARTS, (part) => {
    if (part === '(?=') return '(?:';
    return STRUCTURE.test(part) ? part : `(?:${part}|$)`;
  });
}

const CLASS = String.raw`\[(?:\\.|[^\]\\])*\]`;
const PARTS = new RegExp(
  String.raw`\(\?!(?:\\.|${CLASS}|[^()[\]\\])*\)|\(\?[:=]|\{\d+,?\d*\}|[()|?*+]|\\u[0-9a-f]{4}|\\.|${CLASS}|.`,
  'gs',
);
const STRUCTURE = /^(?:[()|?*+]|\{\d)/;
