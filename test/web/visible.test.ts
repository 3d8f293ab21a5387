/** Text of an agent on the page: nothing hides, reorders or controls. */
import { expect, test } from 'vitest';
import { visible } from '../../src/view/web/text/visible.js';

test('what a terminal would obey is shown by its number, and nothing goes with it', () => {
  expect(visible('echo \x1b]0;$(rm -rf a)\x07 \x1b[1;rm b')).toBe(
    'echo ⟨U+001B⟩]0;$(rm -rf a)⟨U+0007⟩ ⟨U+001B⟩[1;rm b',
  );
  expect(visible('a\u202eb\r\nc')).toBe('a⟨U+202E⟩b\nc');
});
