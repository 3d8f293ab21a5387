/**
 * Texts that are as hard as possible for a rule, made of the rule's own words: whatever it repeats is repeated far too
 * often behind what leads to it, with characters that fit into as many of its places as possible, and then it fails.
 */
import { type Letters, type Node, OTHERS, parseExpression } from '../../src/guard/expression.js';
import type { Rule } from '../../src/guard/rule.js';

/** What no rule takes: every attempt ends here, after all that could be tried. */
const STOPS = ['!', ''];

/** Texts of about so many characters. */
export function hostileTexts(rule: Rule, length: number): string[] {
  const parts = [
    rule.before,
    rule.match,
    rule.rest && `(?:${rule.piece ? `${rule.piece}|` : ''}${rule.rest}){0,9}`,
    rule.until,
  ];
  const tree = parseExpression(parts.flatMap((part) => (part ? [`(?:${part})`] : [])).join(''));
  const units = new Set<string>();
  const texts = new Set<string>();
  for (const letters of rankings(tree)) {
    for (const size of ['least', 'most'] as const) {
      const places = spell(tree, { letters, size });
      for (const { lead, body } of places) {
        for (const stop of STOPS) {
          units.add(lead + body + stop);
          units.add(lead + body.repeat(12) + stop);
          if (body) texts.add(lead + body.repeat(Math.ceil(length / body.length)) + stop);
        }
      }
    }
  }
  for (const unit of units) if (unit) texts.add(unit.repeat(Math.ceil(length / unit.length)));
  return [...texts];
}

/**
 * For any expression, texts that grow where it may go on for ever. Each character that it tells apart is tried there,
 * because one that fits here and not behind makes an engine go back.
 */
export function endlessTexts(tree: Node, length: number): string[] {
  const texts = new Set<string>();
  const seen = new Set<string>();
  const sets = setsOf(tree);
  const stops = new Set(['', '\n', ...representatives(sets.filter((of) => of.filter(Boolean).length > 1))]);
  for (const letters of rankings(tree, [...representatives(sets), '\n'])) {
    for (const { lead, body, isEndless } of spell(tree, { letters, size: 'least' })) {
      if (!isEndless || body === '' || seen.has(lead + body)) continue;
      seen.add(lead + body);
      for (const unit of [body, lead + body]) {
        const grown = unit.repeat(Math.ceil(length / unit.length));
        for (const stop of stops) texts.add(lead + grown + stop);
      }
    }
  }
  return [...texts];
}

interface Place {
  /** What has to stand before it. */
  lead: string;
  /** What is repeated there. */
  body: string;
  isEndless?: boolean;
}

interface Manner {
  /** All ASCII characters, those first that are liked best. */
  letters: readonly string[];
  size: 'least' | 'most';
}

function spell(tree: Node, { letters, size }: Manner): Place[] {
  const places: Place[] = [];
  const whole = walk(tree, '');
  return [...places, { lead: '', body: whole }];

  /** Notes every place on the way; gives back the text itself. */
  function walk(node: Node, lead: string): string {
    switch (node.kind) {
      case 'one': {
        const letter = letters.find((letter) => node.of[letter.charCodeAt(0)] === 1) ?? '→';
        if (node.of.filter(Boolean).length > 1) places.push({ lead, body: letter });
        return letter;
      }
      case 'sequence':
        return node.parts.reduce((text, part) => text + walk(part, lead + text), '');
      case 'choice':
        return node.parts.map((part) => walk(part, lead))[size === 'least' ? 0 : node.parts.length - 1] ?? '';
      case 'repeat': {
        const body = walk(node.part, lead);
        places.push({ lead, body, isEndless: node.max === Infinity });
        return body.repeat(size === 'least' ? node.min : Math.min(node.max, 200));
      }
      case 'look':
        return node.not || node.back ? '' : walk(node.part, lead);
      case 'end':
      case 'edge':
        return '';
    }
  }
}

/** The characters that fit into most of a rule's places come first; then, in further rankings, each of the preferred ones. */
function rankings(tree: Node, preferred?: readonly string[]): string[][] {
  const sets = setsOf(tree);
  const fits = Array.from({ length: OTHERS }, (_, code) => sets.filter((of) => of[code] === 1).length);
  const ranked = fits.map((fit, code) => ({ fit, letter: String.fromCharCode(code) })).sort((a, b) => b.fit - a.fit);
  const letters = ranked.map(({ letter }) => letter);
  if (preferred) return [letters, ...preferred.map((letter) => [letter, ...letters])];
  const second = letters.findIndex((letter) => /[a-z]/.test(letter));
  return [letters, [...letters.slice(second), ...letters.slice(0, second)]];
}

/** One of each kind of characters that these tell apart. */
function representatives(sets: readonly Letters[]): string[] {
  const kinds = new Map<string, string>();
  for (let code = 0; code < OTHERS; code++) {
    const kind = sets.map((of) => of[code]).join('');
    if (!kinds.has(kind)) kinds.set(kind, String.fromCharCode(code));
  }
  return [...kinds.values()];
}

function setsOf(node: Node): Letters[] {
  if (node.kind === 'one') return [node.of];
  if ('parts' in node) return node.parts.flatMap(setsOf);
  return 'part' in node ? setsOf(node.part) : [];
}
