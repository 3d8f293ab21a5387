/** Remarks at a terminal: broken between words, and nothing that is copied is broken at all. */
import { expect, test } from 'vitest';
import { byWords } from '../../src/cli/print/by-words.js';

const at = (columns: number) => ({ isTTY: true, columns });

test.each([
  [
    'without a terminal nothing is broken',
    { columns: 20 },
    'a word and another one, and more',
    'a word and another one, and more',
  ],
  ['what fits stays', at(24), 'one two three', 'one two three'],
  ['between words', at(24), 'glassbox: kept as k7qd. Go on with it.', 'glassbox: kept as k7qd.\n  Go on with it.'],
  [
    'a path is whole',
    at(24),
    'see /a/path/that/is/longer/than/it there',
    'see\n  /a/path/that/is/longer/than/it\n  there',
  ],
  ['wide characters', at(20), 'glassbox: 漢字漢字 漢字', 'glassbox: 漢字漢字\n  漢字'],
  ['lines of its own', at(20), 'one\n    two three four five six', 'one\n    two three four\n      five six'],
  [
    'columns',
    at(24),
    '  glassbox doctor    which agents are here',
    '  glassbox doctor\n    which agents are\n      here',
  ],
  ['too narrow to be broken', at(10), 'one two three four', 'one two three four'],
])('%s', (_, where, text, rows) => {
  expect(byWords(text, where)).toBe(rows);
});
