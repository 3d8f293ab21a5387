/** A scan ends whatever the text: no rule takes many steps or sees far at one place. Counted, not measured. */
import { describe, expect, test } from 'vitest';
import { createGuard } from '../../src/guard/index.js';
import { prefixOf } from '../../src/guard/pattern.js';
import { LOOK_BACK, MAX_OPEN, type Rule } from '../../src/guard/rule.js';
import { CONTEXT_RULES, PROPERTY_RULE, WORD_RULES } from '../../src/guard/rules.js';
import { LOOKS } from '../../src/guard/suspect.js';
import { worstCase } from '../../src/guard/worst-case.js';
import { stepsTaken } from '../support/backtrack.js';
import { hostileTexts } from '../support/hostile-text.js';
import { expressionsOf, readSources } from '../support/source.js';

/** Of one rule at one place. */
const MAX_STEPS = 5_000;
/** Values that a rule has found are not longer. */
const LONGEST_VALUE = 256;

const RULES: readonly Rule[] = [...WORD_RULES, ...CONTEXT_RULES, PROPERTY_RULE];

describe('every rule', () => {
  const parts = RULES.flatMap(({ name, before, match, rest, piece, until }) => [
    { name, part: 'before', source: before, longest: LOOK_BACK },
    { name, part: 'match', source: match, longest: MAX_OPEN },
    { name, part: 'rest', source: rest, longest: 8 },
    { name, part: 'piece', source: piece, longest: MAX_OPEN },
    { name, part: 'until', source: until, longest: MAX_OPEN },
  ]);

  test('is harmless at every place, also while it is arriving', () => {
    const harmful = parts.flatMap(({ name, part, source, longest }) => {
      if (source === undefined) return [];
      const { steps, length } = worstCase(source, { back: part === 'before' });
      const arriving = part === 'before' ? 0 : worstCase(prefixOf(source)).steps;
      const isHarmless = length <= longest && steps <= MAX_STEPS && arriving <= MAX_STEPS;
      return isHarmless ? [] : [`${name} ${part}: ${steps} steps, ${arriving} arriving, ${length} characters`];
    });
    expect(harmful).toEqual([]);
  });

  test('and so is the quick look', () => {
    expect(LOOKS.filter(({ source }) => worstCase(source).steps > 20_000)).toEqual([]);
  });

  test('and so is every other expression of the guard, on what the rules have found', () => {
    const literals = readSources('src/guard').flatMap(expressionsOf);
    expect(literals.length).toBeGreaterThan(10);
    const steps = ({ source, flags }: { source: string; flags: string }) =>
      worstCase(source, { flags, unbounded: LONGEST_VALUE }).steps;
    expect(literals.filter((literal) => steps(literal) > 100_000)).toEqual([]);
  });
});

describe('what an expression may cost', () => {
  test.each<[string, number, number]>([
    ['abc', 3, 3],
    ['[a-z]{4}', 4, 4],
    ['(?:ab){3}', 6, 6],
    ['(?:ab*){0}c', 1, 1],
  ])('%s takes %i steps over %i characters', (source, steps, length) => {
    expect(worstCase(source)).toEqual({ steps, length });
  });

  test.each([
    ['two neighbours with characters in common', 'a{0,40}[ab]{0,40}[a-c]{0,40}d'],
    ['a choice of the same twice, repeated', '(?:a|a){0,30}b'],
    ['a choice of a character and a class that has it, repeated', '(?:\\d|[0-9a-f]){0,30}x'],
    ['a repetition of a repetition', '(?:a{1,9}){1,9}b'],
    ['something optional, repeated', '(?:a?b?){0,30}c'],
    ['no bound', 'a+b'],
    // It hung on 229 characters.
    [
      'the rule that private keys had',
      '-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY-----[\\s0-9]{1,24}(?:(?:Version|Comment): [^\\n\\\\]{0,80}[\\s0-9]{1,12}){0,4}[A-Za-z0-9+/=]{20}',
    ],
  ])('finds %s', (_, source) => {
    expect(worstCase(source).steps).toBeGreaterThan(MAX_STEPS);
    expect(worstCase(source, { back: true }).steps).toBeGreaterThan(MAX_STEPS);
  });

  test.each([
    ['neighbours with nothing in common', 'a{0,40}[b-c]{0,40}[d-f]{0,40}g'],
    ['a choice of different things, repeated', '(?:a|b|[c-f]){0,30}x'],
    ['a look at the next character', '[a-z]{4,127}(?![a-z]|[([{$])'],
  ])('does not mind %s', (_, source) => {
    expect(worstCase(source).steps).toBeLessThan(1_000);
  });

  test('is never less than what an engine takes', () => {
    for (const rule of RULES) {
      for (const source of [rule.match, prefixOf(rule.match)]) {
        const { steps } = worstCase(source);
        for (const text of hostileTexts({ name: '', match: rule.match }, 300)) {
          expect(stepsTaken(source, text), `${source} on ${text}`).toBeLessThanOrEqual(steps);
        }
      }
    }
  });
});

describe('a rule of a user', () => {
  test.each<[string, Partial<Rule>, RegExp]>([
    ['has no bound', { match: 'key-[a-z]+' }, /bounded.*\{1,40\}/],
    ['looks back without a bound', { before: 'key: *', match: 'x{8}' }, /bounded/],
    ['could take for ever', { match: '(?:[a-z0-9]{1,9}){1,9}!' }, /steps at one place/],
    ['could take for ever behind itself', { match: 'x{8}', piece: '(?:a|[a-f]){1,30}-' }, /steps at one place/],
    ['is one character too long', { match: `a[0-9]{${MAX_OPEN}}` }, /at most/],
    ['looks back one too far', { before: `a[0-9]{${LOOK_BACK}}`, match: 'x{8}' }, /at most/],
    ['refers back', { match: '(?<a>x)\\k<a>' }, /valid expression/],
    ['has a group', { match: '(a)' }, /valid expression/],
    ['is none', { match: '[' }, /valid expression/],
    ['has a wrong count', { match: 'a{2,1}' }, /valid expression/],
  ])('is refused at the start when it %s', (_, rule, message) => {
    expect(() => createGuard({ rules: [{ name: 'odd', match: 'x', ...rule }] })).toThrow(
      expect.objectContaining({ code: 'invalid-request', message: expect.stringMatching(message) }),
    );
    expect(() => createGuard({ rules: [{ name: 'odd', match: 'x', ...rule }] })).toThrow(/The guard's rule odd/);
  });

  test.each<Partial<Rule>>([
    { match: 'B[0-9]{6}' },
    { before: 'ticket[ :]{1,3}', match: '[A-Z]{2,8}-[0-9]{3,9}', rest: '[0-9]' },
    { match: 'corp_(?:dev|prod)_[A-Za-z0-9]{20,60}(?![A-Za-z0-9])' },
    { match: '\\bacct-\\d{8,12}\\b' },
    { match: `a[0-9]{${MAX_OPEN - 1}}` },
    { before: `a[0-9]{${LOOK_BACK - 1}}`, match: 'x{8}' },
  ])('is taken when it is harmless: %j', (rule) => {
    expect(() => createGuard({ rules: [{ name: 'own', match: 'x', ...rule }] })).not.toThrow();
  });
});
