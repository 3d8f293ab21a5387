/** No text makes an expression of the source slow, wherever it stands: what agents print is read by all of them. */
import { expect, test } from 'vitest';
import { parseExpression } from '../src/guard/expression.js';
import { type Expression, stepsToFindAll } from './support/backtrack.js';
import { endlessTexts } from './support/hostile-text.js';
import { expressionsOf, readSources } from './support/source.js';

/** Long enough that what is quadratic outweighs all else. */
const LENGTH = 40;

/** The guard has its own, on texts that are short by then: `test/guard/worst-case.test.ts`. */
const isElsewhere = (path: string) => path.startsWith('src/guard/');

const found = readSources('src')
  .flatMap(expressionsOf)
  .filter(({ path }) => !isElsewhere(path));

/** Agents have most of them, so each is a folder of its own: none takes so long that a busy machine could take it for hung. */
const folderOf = ({ path }: { path: string }) => /^src\/(?:agent\/)?[^/]+/.exec(path)?.[0];

test.each([...new Set(found.map(folderOf))])(
  'every expression of %s takes time that is linear in the text',
  (folder) => {
    expect(found.filter((each) => folderOf(each) === folder && isSlow(each))).toEqual([]);
  },
);

test('expressions are found', () => {
  expect(found.length).toBeGreaterThan(200);
});

test.each([
  ['an end that is looked for from every place', '\\n+$', ''],
  ['a space that may be taken twice', '\\s*[\\t-\\r]\\s*', 'g'],
  ['three neighbours with characters in common', '<a>\\s*(.*?)\\s*</a>', 's'],
  ['a beginning that is found everywhere', '\\{.*\\}', 's'],
  ['a line that begins with lines', '^\\s*\\d+: ', 'gm'],
  ['the last name of a path', '[^/]*$', ''],
])('finds %s', (_, source, flags) => {
  expect(isSlow({ source, flags })).toBe(true);
});

test.each([
  ['a run that is taken whole', '\\s+', 'g'],
  ['an end that is looked for from one place of a run', '(?<!\\n)\\n+$', ''],
  ['something bounded', 'model\\b.{0,20}\\bnot found', ''],
])('does not mind %s', (_, source, flags) => {
  expect(isSlow({ source, flags })).toBe(false);
});

/** Of the slowest text of each length: the steps for each of its characters, which are as many however long the text is. */
function isSlow(expression: Expression): boolean {
  return stepsPerCharacter(expression, 2 * LENGTH) > 1.5 * stepsPerCharacter(expression, LENGTH);
}

function stepsPerCharacter(expression: Expression, length: number): number {
  const texts = endlessTexts(parseExpression(expression.source, { flags: expression.flags }), length);
  return Math.max(1, ...texts.map((text) => stepsToFindAll(expression, text) / text.length));
}
