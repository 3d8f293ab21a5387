/** Sizes and cuts in UTF-8 are those of an encoder, also for halves of characters. */
import { expect, test } from 'vitest';
import { jsonLength } from '../../src/guard/json-length.js';
import { cutUtf8, utf8Length } from '../../src/guard/utf8.js';

/** At each bound between sizes, whole pairs, and halves before and behind what is none. */
const UNITS = [0x0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff].map((code) =>
  String.fromCharCode(code),
);
const TEXTS = ['', ...UNITS, ...UNITS.flatMap((first) => UNITS.map((second) => `a${first}${second}é`))];

test('a size is what an encoder writes', () => {
  expect(TEXTS.filter((text) => utf8Length(text) !== Buffer.byteLength(text))).toEqual([]);
});

test('a cut is the longest beginning of whole characters', () => {
  const wrong = TEXTS.flatMap((text) =>
    Array.from({ length: Buffer.byteLength(text) + 2 }, (_, most) => ({ text, most })).filter(({ most }) => {
      const cut = cutUtf8(text, most);
      const next = [...text.slice(cut.length)][0];
      const isWhole = [...text].join('').startsWith(cut) && [...cut, ...text.slice(cut.length)].join('') === text;
      const endsWell = [...cut].length + [...text.slice(cut.length)].length === [...text].length;
      const fits = Buffer.byteLength(cut) <= most;
      const isLongest = next === undefined || Buffer.byteLength(cut) + Buffer.byteLength(next) > most;
      return !(isWhole && endsWell && fits && isLongest);
    }),
  );
  expect(wrong).toEqual([]);
});

test.each([
  [null],
  [true],
  [0],
  [-1.5],
  ['é'],
  [[]],
  [[1]],
  [[1, 'ab', null]],
  [{}],
  [{ a: 1 }],
  [{ a: 1, bc: 'é', é: [] }],
  [{ a: { b: [{ c: [1, 2, { d: false }] }, 'x', []] }, e: null }],
])('the size of %j is that of its JSON', (value) => {
  expect(jsonLength(value)).toBe(Buffer.byteLength(JSON.stringify(value)));
});
