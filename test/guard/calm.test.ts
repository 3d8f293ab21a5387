/** What the quickest look lets pass is what a search would have shown, piece by piece. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCalm, SEARCH } from '../../src/guard/calm.js';
import { compile } from '../../src/guard/pattern.js';
import { CONTEXT_RULES, PROPERTY_RULE, WORD_RULES } from '../../src/guard/rules.js';
import { createScan } from '../../src/guard/scan.js';
import { findSuspects } from '../../src/guard/suspect.js';
import { SAMPLES } from './samples.js';

const patterns = {
  text: compile(WORD_RULES, CONTEXT_RULES),
  json: compile(WORD_RULES, [PROPERTY_RULE, ...CONTEXT_RULES]),
};
const scan = (kind: 'text' | 'json', calm = true) =>
  createScan({ patternOf: () => patterns[kind], suspectsIn: findSuspects, calm: calm ? createCalm() : undefined });

const PROSE = ' the quick brown fox went over every line of it and found that nothing was missing there'.split(/(?= )/);
/** What leads to secrets, whole and in parts, and the first letters of some. */
const LEADS =
  'Bearer bearer rer ENV DB_PASSWORD login password word ord -u --token -p :// https ://u: ~ sha256 1// s. key- re_ fw_ n g gh sk A M . _ - / : = > \\n é 日本'
    .split(' ')
    .concat(' ', '\n', '\t', '"', "'", '(');

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...PROSE) },
  { weight: 2, arbitrary: fc.constantFrom(...LEADS) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...SAMPLES.flatMap(({ text }) => [text, text.slice(0, 12), text.slice(-20)])),
  },
);

test('every piece shows the same with it as without it, whatever is held back', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }),
      fc.array(fc.nat(400), { maxLength: 40 }),
      fc.constantFrom('text', 'json'),
      (pieces, cuts, kind) => {
        const text = pieces.join('');
        const places = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length].sort((a, b) => a - b);
        for (const parts of [pieces, places.slice(1).map((end, index) => text.slice(places[index], end))]) {
          const [one, other] = [scan(kind), scan(kind, false)];
          const shown = (redactor: typeof one) => [...parts.map((part) => redactor.push(part)), redactor.end()];
          expect(shown(one)).toEqual(shown(other));
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('behind a long stretch of prose every sample is seen, letter by letter', () => {
  const prose = PROSE.join('').repeat(3);
  /** Its lead is longer than a mark reaches, and has no long word. */
  const far = { text: 'https://hooks.slack.com/abcdefghijkl/T0AB1/B0CD2/aB3dE6gH9jKmN2p' };
  for (const { text } of [...SAMPLES, far]) {
    const [one, other] = [scan('text'), scan('text', false)];
    const letters = [...`${prose} ${text} ${prose}`];
    expect(letters.map((letter) => one.push(letter)).join('') + one.end()).toBe(
      letters.map((letter) => other.push(letter)).join('') + other.end(),
    );
  }
});

test('prose is not searched, and what may lead to a secret is', () => {
  const calm = createCalm();
  const add = (text: string) => calm.add(text, '', patterns.text) !== SEARCH;
  expect(PROSE.every(add)).toBe(true);
  expect([' Bearer', ' it', ...PROSE].map(add)).toContain(false);
  for (const lead of ['API_KEY=', 'token:', ' -u', '--', '://', 'ENV', 'a\\', '<b>', 'x'.repeat(20)]) {
    expect(PROSE.concat(PROSE, PROSE).map(add).at(-1)).toBe(true);
    expect(add(lead)).toBe(false);
    expect(add(' next')).toBe(false);
  }
});
