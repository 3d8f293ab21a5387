/** Turns rules into two expressions: one finds whole secrets, the other what the end of a text may still become. */
import type { Rule } from './rules.js';

export interface Pattern {
  readonly rules: readonly Rule[];
  /** One capturing group per rule, in order, so that the group that took part names the rule. */
  readonly whole: RegExp;
  /** Matches from the first position that further text could complete to a secret; empty at the end of the text. */
  readonly open: RegExp;
  /** Per rule: as many further characters as belong to the secret. */
  readonly rest: readonly (RegExp | undefined)[];
  /** Per rule: what ends it. */
  readonly until: readonly (RegExp | undefined)[];
  /** Per rule: the end of a text that further text could complete to what ends it. */
  readonly openUntil: readonly (RegExp | undefined)[];
}

export function compile(rules: readonly Rule[]): Pattern {
  return {
    rules,
    whole: new RegExp(
      alternatives(rules, (rule) => rule.match),
      'g',
    ),
    open: new RegExp(`(?:${alternatives(rules, (rule) => prefixOf(rule.match))})$`, 'g'),
    rest: rules.map(({ rest }) => (rest ? new RegExp(`(?:${rest})*`, 'y') : undefined)),
    until: rules.map(({ until }) => (until ? new RegExp(until, 'y') : undefined)),
    openUntil: rules.map(({ until }) => (until ? new RegExp(`${prefixOf(until)}$`, 'g') : undefined)),
  };
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
 * A negative look ahead stays as it is; there it only says yes more often.
 */
function prefixOf(source: string): string {
  return source.replace(PARTS, (part) => (STRUCTURE.test(part) ? part : `(?:${part}|$)`));
}

const CLASS = String.raw`\[(?:\\.|[^\]\\])*\]`;
const PARTS = new RegExp(
  String.raw`\(\?!(?:\\.|${CLASS}|[^()[\]\\])*\)|\(\?[:=]|\{\d+,?\d*\}|[()|?*+]|\\u[0-9a-f]{4}|\\.|${CLASS}|.`,
  'gs',
);
const STRUCTURE = /^(?:\(|\)|\||\?|\*|\+|\{\d)/;
