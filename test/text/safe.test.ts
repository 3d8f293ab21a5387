import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safe, safeFirstLine, safeLine, safeOutput, safeOutputLine, sentence } from '../../src/view/text/safe.js';
import { shorten } from '../../src/word/index.js';
import { ATTACKS, HOSTILE } from './hostile.js';

describe('LL-39 safe', () => {
  test('no attack leaves anything that a terminal obeys', () => {
    const survived = ATTACKS.filter(([, attack]) => HOSTILE.test(safe(`before${attack}after`)));
    expect(survived.map(([name]) => name)).toEqual([]);
    expect(ATTACKS.filter(([, attack]) => !HOSTILE.test(attack))).toEqual([]);
  });

  test.each([
    ['plain text is untouched', 'src/a.ts: ünïcödé 日本 👩‍👩‍👧 e\u0301', 'src/a.ts: ünïcödé 日本 👩‍👩‍👧 e\u0301'],
    ['what a colour would hide is seen', 'echo a \x1b[1;rm -rf ~', 'echo a \ufffd[1;rm -rf ~'],
    ['and what a title would', 'echo \x1b]0;$(rm -rf ~)\x07 b', 'echo \ufffd]0;$(rm -rf ~)\ufffd b'],
    ['tabs and newlines stay', 'a\tb\nc', 'a\tb\nc'],
    ['CRLF and a lone CR are newlines', 'a\r\nb\rc', 'a\nb\nc'],
    ['a lone surrogate is replaced', 'a\ud83d b\udc00', 'a\ufffd b\ufffd'],
    ['a pair is not', '👍', '👍'],
  ])('%s', (_name, text, expected) => {
    expect(safe(text)).toBe(expected);
  });

  test('of what a program printed the colours go, and nothing else', () => {
    expect(safeOutput('\x1b[31mred\x1b[0m and \x1b[1;38:5:1mbold\x1b[K\x1b[22m')).toBe('red and bold');
    expect(safeOutput('\x1b]8;;http://evil\x07click\x1b[2J')).toBe('\ufffd]8;;http://evil\ufffdclick\ufffd[2J');
    expect(safeOutput('\x1b\x1b[0m[2J')).toBe('\ufffd[2J');
    expect(safeOutputLine('\x1b[31m a\n b\x1b[0m', 100)).toBe('a b');
    expect(safeOutputLine(7, 100)).toBe('');
  });

  test('any string: everything that can be seen is there', () => {
    const unit = fc.oneof(fc.constantFrom(...ATTACKS.map(([, attack]) => attack)), fc.string());
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const seen = (text: string) => text.replace(/[^!-~]/g, '');
        expect(seen(safe(parts.join('')))).toBe(seen(parts.join('')));
      }),
    );
  });

  test('any string: nothing hostile is left, and a second pass changes nothing', () => {
    const unit = fc.oneof(fc.constantFrom(...ATTACKS.map(([, attack]) => attack)), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(fc.array(unit), (parts) => {
        const once = safe(parts.join(''));
        expect(once).not.toMatch(HOSTILE);
        expect(safe(once)).toBe(once);
      }),
    );
  });
});

describe('R-20 cut', () => {
  test.each([
    ['shorter', 'abc', 5, 'abc'],
    ['exactly as long', 'abcde', 5, 'abcde'],
    ['one longer', 'abcdef', 5, 'ab...'],
    ['counted in code points', '👍👍👍👍👍', 5, '👍👍👍👍👍'],
    ['a surrogate pair is not split', '👍👍👍👍👍👍', 5, '👍👍...'],
    ['a combining mark stays with its letter', 'xe\u0301yzabc', 5, 'x...'],
    ['a family of emoji is one', '👩‍👩‍👧abcdefgh', 7, '...'],
  ])('S1-23 %s', (_name, text, max, expected) => {
    expect(shorten(text, max)).toBe(expected);
  });

  test('never longer than asked, and a prefix of the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 4, max: 100 }), (text, max) => {
        const result = shorten(text, max);
        expect([...result].length).toBeLessThanOrEqual(max);
        expect(result === text || (result.endsWith('...') && text.startsWith(result.slice(0, -3)))).toBe(true);
      }),
    );
  });
});

describe('one line of a field', () => {
  test('R-23 whitespace is collapsed before cutting', () => {
    expect(safeLine('PASS\n  ok   pkg\t0.5s\n', 100)).toBe('PASS ok pkg 0.5s');
  });

  test('the first line that says something', () => {
    expect(safeFirstLine('\n \n  first \nsecond', 80)).toBe('first');
    expect(safeFirstLine(' \n', 80)).toBe('');
  });

  test('a megabyte costs no more than its head', () => {
    expect(safeLine('\x1b]'.repeat(500_000), 100)).toHaveLength(100);
  });

  test('a value of a wrong type shows as nothing', () => {
    expect([safeLine(undefined), safeLine(5), safeLine({}), safeFirstLine(null, 5)]).toEqual(['', '', '', '']);
  });

  test('a value cannot swallow the words around it', () => {
    expect(sentence`Permission required: ${'\x1b]0;x'} (${'rm -rf\x07'}) now`).toBe(
      'Permission required: \ufffd]0;x (rm -rf\ufffd) now',
    );
  });
});
