/** What is typed: keys out of a terminal's bytes, a line of text edited by them, and its rows. */
import fc from 'fast-check';
import stringWidth from 'fast-string-width';
import { describe, expect, test } from 'vitest';
import {
  EMPTY_LINE,
  editLine,
  type InputLine,
  lineOf,
  mention,
  mentionAt,
} from '../../src/view/terminal/input-line.js';
import { inputRows } from '../../src/view/terminal/input-rows.js';
import { type Key, readKeys } from '../../src/view/terminal/key.js';

const names = (text: string, isOver = true) =>
  readKeys(text, isOver).keys.map(({ name, text: wrote }) => wrote || name);

describe('keys', () => {
  test.each<[string, string[]]>([
    ['aé👍', ['a', 'é', '👍']],
    ['\r\n\t\u007f', ['enter', 'newline', 'tab', 'backspace']],
    ['\u001b[A\u001bOB\u001b[5~\u001b[Z', ['up', 'down', 'page-up', 'back-tab']],
    ['\u001b', ['escape']],
    ['\u001b\u001b', ['escape', 'escape']],
    ['\u001b\r', ['newline']],
    ['\u0003\u0004\u001c', ['ctrl-c', 'ctrl-d', 'ctrl-\\']],
    ['\u001b[999;1Zx', ['other', 'x']],
    ['\u001b[200~one\r\ny\r\u001b[A\u001b[201~z', ['one\ny\n\u001b[A', 'z']],
  ])('%j', (bytes, keys) => {
    expect(names(bytes)).toEqual(keys);
  });

  test('however they are cut, they are the same', () => {
    const bytes = 'ab\u001b[A\u001b[200~y\r\u001b[201~\u001b[6~c';
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const keys: Key[] = [];
        let [rest, from] = ['', 0];
        for (const end of [...cuts.sort((a, b) => a - b), bytes.length]) {
          const read = readKeys(rest + bytes.slice(from, end), false);
          keys.push(...read.keys);
          ({ rest } = read);
          from = end;
        }
        expect([...keys, ...readKeys(rest, true).keys]).toEqual(readKeys(bytes, true).keys);
      }),
    );
  });
});

const typed = (...keys: string[]): InputLine =>
  keys.reduce<InputLine>((line, name) => {
    const key: Key = name.length === 1 ? { name: 'text', text: name } : ({ name, text: '' } as Key);
    return editLine(line, key) ?? line;
  }, EMPTY_LINE);

describe('a line', () => {
  test.each<[string[], string, number]>([
    [['a', 'b', 'left', 'c'], 'acb', 2],
    [['a', 'b', 'home', 'c', 'end', 'd'], 'cabd', 4],
    [['a', 'newline', 'b', 'home', 'backspace'], 'ab', 1],
    [['a', ' ', 'b', 'ctrl-w'], 'a ', 2],
    [['a', 'ctrl-w', 'ctrl-w'], '', 0],
    [['a', 'b', 'left', 'ctrl-u'], 'b', 0],
    [['a', 'b', 'home', 'delete'], 'b', 0],
    [['a', 'b', 'left', 'ctrl-k'], 'a', 1],
  ])('%j', (keys, text, cursor) => {
    expect(typed(...keys)).toEqual({ text, cursor });
  });

  test('a family goes in one piece', () => {
    expect(editLine(lineOf('👩‍👩‍👧'), { name: 'backspace', text: '' })).toEqual(EMPTY_LINE);
  });

  test('the name of a file stands after an @, up to the cursor', () => {
    expect(mentionAt(lineOf('see @src/du'))).toBe('src/du');
    expect(mentionAt(lineOf('see @'))).toBe('');
    expect(mentionAt(lineOf('ada@example'))).toBeUndefined();
    expect(mention(lineOf('see @du'), 'src/duration.js')).toEqual(lineOf('see @src/duration.js '));
  });

  test('as rows it fits, shows the cursor, and of much only what is around it', () => {
    const look = { width: 20, color: false, mark: '> ', most: 3 };
    expect(inputRows(lineOf('hello'), look)).toEqual(['> hello▌']);
    expect(inputRows(lineOf('a\nb'), look)).toEqual(['> a', '  b▌']);
    const long = inputRows(lineOf(Array.from({ length: 9 }, (_, line) => `line ${line}`).join('\n')), look);
    expect(long).toEqual(['  line 6', '  line 7', '  line 8▌']);
    for (const row of inputRows(lineOf('word '.repeat(30)), look)) expect(stringWidth(row)).toBeLessThanOrEqual(20);
    expect(inputRows(lineOf('se cret'), { ...look, isSecret: true })).toEqual(['> •••••••▌']);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for
    expect(inputRows(lineOf('\u001b[2J\u202e'), look).join('')).not.toMatch(/[\u001b\u202e]/);
  });
});
