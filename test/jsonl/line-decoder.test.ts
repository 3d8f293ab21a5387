import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createLineDecoder, type Item, type LineOptions } from '../../src/jsonl/index.js';
import { anyChunking, everySplit, toBytes } from '../support/chunking.js';

const MIB = 2 ** 20;

/** `[line, value]` or `[line, code]`, with `cut` behind it, and the size. */
const cases: { name: string; input: string | number[]; items: string[] }[] = [
  { name: 'S3-05 one value a line', input: '{"a":1}\n[2]\n', items: ['1:{"a":1} 7b', '2:[2] 3b'] },
  { name: 'S1-39 a last line without newline counts', input: '1\n2', items: ['1:1 1b', '2:2 1b'] },
  { name: 'LL-08 a cut last line is reported as cut', input: '1\n{"a":', items: ['1:1 1b', '2:json_parse cut 5b'] },
  { name: 'S0-11 blank lines are skipped and counted', input: '\n\n1\n   \n\t\r\n2\n \n', items: ['3:1 1b', '6:2 1b'] },
  { name: 'S0-11 white space around a value is harmless', input: '  1 \t\n', items: ['1:1 5b'] },
  { name: 'R-06 a last line of white space is no cut line', input: '1\n   ', items: ['1:1 1b'] },
  { name: 'S2-20 one CR is stripped', input: '1\r\n{}\r\n\r\n"x"\r\n', items: ['1:1 1b', '2:{} 2b', '4:"x" 3b'] },
  { name: 'R-06 only one CR is stripped', input: '1\r\r\n', items: ['1:1 2b'] },
  { name: 'a lone CR does not end a line', input: '1\r2\n3\n', items: ['1:json_parse 3b', '2:3 1b'] },
  { name: 'a CR at the very end', input: '1\r', items: ['1:1 1b'] },
  { name: 'R-06 a BOM on the first line is removed', input: '\ufeff{"a":1}\n2\n', items: ['1:{"a":1} 10b', '2:2 1b'] },
  { name: 'R-06 a BOM alone', input: '\ufeff\n1\n', items: ['2:1 1b'] },
  { name: 'R-06 a BOM later is not removed', input: '1\n\ufeff2\n', items: ['1:1 1b', '2:json_parse 4b'] },
  { name: 'U+2028 and U+2029 are text', input: '"a\u2028b\u2029c"\n1\n', items: ['1:"a\u2028b\u2029c" 11b', '2:1 1b'] },
  { name: 'S0-25 Unicode survives', input: '"zażółć 日本 👩‍👩‍👧"\n', items: ['1:"zażółć 日本 👩‍👩‍👧" 38b'] },
  { name: 'S0-25 a lone surrogate survives as an escape', input: '"\\ud83d"\n', items: ['1:"\\ud83d" 8b'] },
  { name: 'U-2.6 a NUL byte', input: '"a\0b"\n"\\u0000"\n', items: ['1:json_parse 5b', '2:"\\u0000" 8b'] },
  {
    name: 'R-02 a bad line hides no neighbour',
    input: '1\n{oops\n2\n',
    items: ['1:1 1b', '2:json_parse 5b', '3:2 1b'],
  },
  { name: 'LL-09 noise', input: '[SandboxDebug] hi\n1\n', items: ['1:json_parse 17b', '2:1 1b'] },
  { name: 'S2-17 two values on a line', input: '{}{}\n1\n', items: ['1:json_parse 4b', '2:1 1b'] },
  { name: 'bytes that are not UTF-8', input: [0x22, 0xff, 0x22, 10, 0x31], items: ['1:encoding 3b', '2:1 1b'] },
  { name: 'an overlong form', input: [0x22, 0xc0, 0xaf, 0x22, 10, 0x31, 10], items: ['1:encoding 4b', '2:1 1b'] },
  { name: 'an encoded surrogate', input: [0x22, 0xed, 0xa0, 0x80, 0x22, 10], items: ['1:encoding 5b'] },
  {
    name: 'a character cut by the line end',
    input: [0x22, 0xe2, 0x82, 10, 0x31, 10],
    items: ['1:encoding 3b', '2:1 1b'],
  },
  { name: 'a character cut by the end', input: [0x22, 0xf0, 0x9f, 0x98], items: ['1:encoding cut 4b'] },
  { name: 'nothing', input: '', items: [] },
  { name: 'newlines only', input: '\n\n\r\n', items: [] },
];

describe('any line', () => {
  test.each(cases)('$name, whole and at every split', ({ input, items }) => {
    const bytes = typeof input === 'string' ? toBytes(input) : Uint8Array.from(input);
    for (const pieces of [[bytes], ...everySplit(bytes)]) expect(decodeAll(pieces).map(describeItem)).toEqual(items);
  });

  test('S2-15 an error never carries the text of its line', () => {
    const [item] = decodeAll([toBytes('{"key": "sk-secret-value", oops\n')]);
    expect(item).toEqual({ kind: 'error', code: 'json_parse', line: 1, bytes: 31 });
    expect(decodeAll([toBytes('{"key": "sk-secret')])).toEqual([
      { kind: 'error', code: 'json_parse', line: 1, bytes: 18, cut: true },
    ]);
  });

  test('S1-37 thousands of short lines, read many at a time, are what each is by itself', () => {
    const odd = [
      '{}\r',
      '',
      '"é"',
      `"${'x'.repeat(9000)}"`,
      'noise',
      `[${'1,'.repeat(60)}2]`,
      `[${'1,'.repeat(280)}2]`,
    ];
    const lines = Array.from({ length: 5000 }, (_, n) => (n % 97 === 0 ? odd[(n / 97) % odd.length] : `{"n":${n}}`));
    const bytes = Buffer.concat([toBytes(lines.join('\n')), Buffer.from([10, 0x22, 0xff, 0x22, 10])]);
    for (const size of [1000, 65_536, bytes.length])
      expect(decodeAll(pieces(bytes, size)).map(describeItem)).toEqual(readNaively(bytes));
  });

  test('pushed bytes may be used again at once', () => {
    const decoder = createLineDecoder();
    const shared = toBytes('"abc');
    decoder.push(shared);
    shared.fill(0);
    expect(decoder.push(toBytes('"\n')).map(describeItem)).toEqual(['1:"abc" 5b']);
  });

  test('the end comes once', () => {
    const decoder = createLineDecoder();
    decoder.push(toBytes('{'));
    expect(decoder.end()).toHaveLength(1);
    expect(decoder.end()).toEqual([]);
  });
});

describe('R-01, S0-18, S1-38, S3-06 the line limit', () => {
  const limit = MIB;
  const sizes = [
    { size: limit - 1, code: undefined },
    { size: limit, code: undefined },
    { size: limit + 1, code: 'line_too_long' },
    { size: limit + 2, code: 'line_too_long' },
  ];
  const endings = [
    { name: 'LF', end: '\n', cut: false },
    { name: 'CRLF', end: '\r\n', cut: false },
    { name: 'the end of input', end: '', cut: true },
    { name: 'CR and the end of input', end: '\r', cut: true },
  ];
  const chunkings = [
    { name: 'in one piece', size: Number.POSITIVE_INFINITY },
    { name: 'in pieces of 8 KiB', size: 8192 },
    { name: 'in odd pieces', size: 99_991 },
    { name: 'split before its last byte', size: limit },
  ];
  const table = sizes.flatMap((size) => endings.flatMap((end) => chunkings.map((chunk) => ({ ...size, end, chunk }))));

  test.each(table)('$size bytes and $end.name, $chunk.name', ({ size, code, end, chunk }) => {
    const bytes = toBytes(`1\n${stringLine(size)}${end.end}${end.cut ? '' : '2\n'}`);
    const [first, second, ...rest] = decodeAll(pieces(bytes, chunk.size), { maxLineBytes: limit });
    expect(first).toMatchObject({ value: 1 });
    if (code) expect(second).toEqual({ kind: 'error', code, line: 2, bytes: size, ...(end.cut ? { cut: true } : {}) });
    else expect(second).toMatchObject({ kind: 'value', line: 2, bytes: size });
    expect(rest.map(describeItem)).toEqual(end.cut ? [] : ['3:2 1b']);
  });

  test('is 10 MiB unless told, counted in bytes', () => {
    expect(decodeAll([toBytes(stringLine(10 * MIB))])).toMatchObject([{ kind: 'value' }]);
    expect(decodeAll([toBytes(stringLine(10 * MIB + 1))])).toMatchObject([{ code: 'line_too_long' }]);
    const twoByteCharacters = `"${'é'.repeat(5 * MIB)}"`;
    expect(decodeAll([toBytes(twoByteCharacters)])).toMatchObject([{ code: 'line_too_long', bytes: 10 * MIB + 2 }]);
  });

  test('LL-10 an over-long line is counted, not kept, and gives one error', () => {
    const decoder = createLineDecoder({ maxLineBytes: limit });
    const piece = new Uint8Array(MIB).fill(0x61);
    const before = memoryInUse();
    for (let index = 0; index < 300; index++) expect(decoder.push(piece)).toEqual([]);
    expect(memoryInUse() - before).toBeLessThan(100 * MIB);
    expect(decoder.push(toBytes('\n1\n')).map(describeItem)).toEqual([`1:line_too_long ${300 * MIB}b`, '2:1 1b']);
  });

  test('is lifted by Infinity', () => {
    const bytes = toBytes(`${stringLine(11 * MIB)}\n`);
    expect(decodeAll(pieces(bytes, 65_536), { maxLineBytes: Number.POSITIVE_INFINITY })).toMatchObject([
      { kind: 'value', bytes: 11 * MIB },
    ]);
  });

  test.each([0, -1, Number.NaN, MIB - 1])('refuses %d', (maxLineBytes) => {
    expect(() => createLineDecoder({ maxLineBytes })).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });
});

describe('a long line in pieces', () => {
  const text = 'plain – żółć 日本 👩‍👩‍👧 \\n \\"quoted\\" ';
  const value = text.repeat(40_000);
  const bytes = toBytes(`${JSON.stringify(value)}\r\n1\n`);

  test.each([1009, 4096, 65_536, 500_009])('of %d bytes keeps every character', (size) => {
    const [first, second] = decodeAll(pieces(bytes, size));
    expect(first).toEqual({ kind: 'value', value, line: 1, bytes: bytes.length - 4 });
    expect(second).toMatchObject({ value: 1, line: 2 });
  });

  test('with bad bytes far from its end is one encoding error', () => {
    const bad = bytes.slice();
    bad[600_000] = 0xff;
    expect(decodeAll(pieces(bad, 8192)).map(describeItem)).toEqual([`1:encoding ${bytes.length - 4}b`, '2:1 1b']);
  });
});

describe('properties', () => {
  const line = fc.oneof(
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', ' ', '\ufeff', '{', 'noise', '"\u2028"'),
  );
  const lineEnd = fc.constantFrom('\n', '\r\n', '\n\n');
  const document = fc.array(fc.tuple(line, lineEnd), { maxLength: 12 }).chain((parts) =>
    fc.boolean().map((ends) =>
      toBytes(
        parts
          .flat()
          .slice(0, ends ? undefined : -1)
          .join(''),
      ),
    ),
  );
  const randomBytes = fc.uint8Array({ maxLength: 400 });

  test('S1-37, S3-03 any chunking gives the same items', () => {
    const chunked = fc.oneof(document, randomBytes).chain((bytes) => fc.tuple(fc.constant(bytes), anyChunking(bytes)));
    fc.assert(
      fc.property(chunked, ([bytes, chunks]) => {
        expect(decodeAll(chunks)).toEqual(decodeAll([bytes]));
      }),
    );
  });

  test('any prefix gives the same items up to the line that is cut', () => {
    const prefix = document.chain((bytes) => fc.tuple(fc.constant(bytes), fc.nat(bytes.length)));
    fc.assert(
      fc.property(prefix, ([bytes, length]) => {
        const whole = decodeAll([bytes]);
        const before = createLineDecoder().push(bytes.subarray(0, length));
        expect(whole.slice(0, before.length)).toEqual(before);
      }),
    );
  });

  test('random bytes never throw, and give what a naive reader gives', () => {
    const fewLetters = fc.array(fc.constantFrom(...'\n\r \t1"{}[]é\ufeff'), { maxLength: 60 });
    const inputs = fc.oneof(
      document,
      randomBytes,
      fewLetters.map((letters) => toBytes(letters.join(''))),
    );
    fc.assert(
      fc.property(inputs, (bytes) => {
        expect(decodeAll([bytes]).map(describeItem)).toEqual(readNaively(bytes));
      }),
      { numRuns: 500 },
    );
  });

  test('S0-26 what was encoded comes back by value', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (values) => {
        const bytes = toBytes(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
        const back = decodeAll([bytes]).map((item) => item.kind === 'value' && item.value);
        expect(JSON.stringify(back)).toBe(JSON.stringify(values));
      }),
    );
  });

  test('deep nesting is a value', () => {
    const depth = 200_000;
    expect(decodeAll([toBytes('['.repeat(depth) + ']'.repeat(depth))])).toMatchObject([{ kind: 'value' }]);
  });
});

function memoryInUse(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function decodeAll(chunks: Uint8Array[], options?: LineOptions): Item[] {
  const decoder = createLineDecoder(options);
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
}

/** The same promises in the most obvious code, for one piece and short lines. */
function readNaively(bytes: Uint8Array): string[] {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  return lines.flatMap((latin1, index) => {
    const raw = Buffer.from(latin1.replace(/\r$/, ''), 'latin1');
    const cut = index === lines.length - 1 ? ' cut' : '';
    const about = (what: string) => [`${index + 1}:${what} ${raw.length}b`];
    if (!isUtf8(raw)) return about(`encoding${cut}`);
    const text = raw.toString().replace(index === 0 ? /^\ufeff/ : /^$/, '');
    if (text.trim() === '') return [];
    try {
      return about(JSON.stringify(JSON.parse(text)));
    } catch {
      return about(`json_parse${cut}`);
    }
  });
}

function describeItem(item: Item): string {
  const what = item.kind === 'value' ? JSON.stringify(item.value) : item.code + (item.cut ? ' cut' : '');
  return `${item.line}:${what} ${item.bytes}b`;
}

/** A JSON string of exactly this many bytes. */
function stringLine(bytes: number): string {
  return `"${'x'.repeat(bytes - 2)}"`;
}

function pieces(bytes: Uint8Array, size: number): Uint8Array[] {
  const count = Math.ceil(bytes.length / Math.min(size, bytes.length));
  return Array.from({ length: count }, (_, index) => bytes.subarray(index * size || 0, (index + 1) * size));
}
