/** Patterns of rules against whole texts; however many stars, each letter of the text is looked at once. */
import { describe, expect, test } from 'vitest';
import { allowsCommand, containsCommand, matchesName } from '../../src/run/approval/pattern.js';
import { anything, createWildcard, type Part } from '../../src/run/approval/wildcard.js';

const many: Part = { kind: 'many', of: anything };
const text = (letters: string): Part => ({ kind: 'text', text: letters });

describe('a text matches', () => {
  test.each<[string, readonly Part[], string[], string[]]>([
    ['letters as they are', [text('a.b')], ['a.b'], ['axb', 'a.b ', ' a.b', '']],
    ['one of a kind', [text('a'), { kind: 'one', of: (letter) => letter !== '/' }], ['ab', 'a→'], ['a/', 'a', 'abc']],
    ['many or none', [text('a'), many, text('c')], ['ac', 'abc', 'acc', 'a\nc'], ['a', 'ab', 'cac ']],
    [
      'all of a part or nothing',
      [text('a'), { kind: 'optional', parts: [text('/'), many] }],
      ['a', 'a/', 'a/b'],
      ['ab'],
    ],
    ['nothing', [], [''], ['a']],
  ])('%s', (_, parts, fitting, others) => {
    const matches = createWildcard(parts);
    expect(fitting.filter((one) => !matches(one))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  test('without regard to case, where told so', () => {
    expect(createWildcard([text('README')], { ignoresCase: true })('readme')).toBe(true);
    expect(createWildcard([text('README')])('readme')).toBe(false);
  });
});

test('five stars and a hundred thousand letters are no work: in all combinations it would not end', () => {
  const command = `git ${'push '.repeat(20_000)}`;
  const pattern = 'git *push *push *push *push *force';
  expect(containsCommand(command, pattern)).toBe(false);
  expect(containsCommand(`${command}--force`, pattern)).toBe(true);
  expect(allowsCommand(command, pattern)).toBe(false);
  expect(matchesName('a'.repeat(100_000), 'a*a*a*a*b')).toBe(false);
});
