import { expect, test } from 'vitest';
import { type ColorChoice, wantsColor } from '../../src/cli/print/color.js';

test.each<[string, ColorChoice, boolean, Record<string, string>, boolean]>([
  ['S1-25 a terminal', 'auto', true, {}, true],
  ['S1-25 a pipe', 'auto', false, {}, false],
  ['a terminal and NO_COLOR', 'auto', true, { NO_COLOR: '1' }, false],
  ['a terminal and an empty NO_COLOR', 'auto', true, { NO_COLOR: '' }, true],
  ['a dumb terminal', 'auto', true, { TERM: 'dumb' }, false],
  ['a pipe and FORCE_COLOR', 'auto', false, { FORCE_COLOR: '1' }, true],
  ['a pipe and an empty FORCE_COLOR', 'auto', false, { FORCE_COLOR: '' }, true],
  ['a terminal and FORCE_COLOR=0', 'auto', true, { FORCE_COLOR: '0' }, false],
  ['FORCE_COLOR wins over NO_COLOR, as in Node', 'auto', true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['asked for, into a pipe', 'always', false, { NO_COLOR: '1' }, true],
  ['forbidden, on a terminal', 'never', true, { FORCE_COLOR: '1' }, false],
])('%s', (_name, choice, isTTY, env, color) => {
  expect(wantsColor(choice, { isTTY }, env)).toBe(color);
});
