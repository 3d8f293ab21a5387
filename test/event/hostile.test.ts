import { expect, test } from 'vitest';
import { replaceHostile } from '../../src/event/index.js';

test.each([
  ['a\u0000b\u202ec\u2028d\ufeffe\u{e0041}f\ud800g', 'a?b?c?d?e?f?g'],
  ['tab\tand\nnewline stay, as do ümlauts, 漢字 and 😀', 'tab\tand\nnewline stay, as do ümlauts, 漢字 and 😀'],
])('%j', (text, expected) => {
  expect(replaceHostile(text, '?')).toBe(expected);
});

test('a replacement is taken as it is, and may be made from the character', () => {
  expect(replaceHostile('a\u0007b', '$&')).toBe('a$&b');
  expect(replaceHostile('a\u0007b\u{e0041}', (character) => `<${character.codePointAt(0)}>`)).toBe('a<7>b<917569>');
});
