import { expect, test } from 'vitest';
import { count, counted, duration, size, tokens } from '../../src/word/index.js';

test.each([
  [0, '0 s'],
  [0.4, '1 ms'],
  [40, '40 ms'],
  [500, '0.5 s'],
  [9949, '9.9 s'],
  [35_000, '35 s'],
  [59_600, '1m0s'],
  [367_000, '6m7s'],
  [7_500_000, '2h5m'],
  [399_600_000, '4d15h'],
  [-1, '?'],
  [Number.NaN, '?'],
])('%d ms is %s', (ms, text) => expect(duration(ms)).toBe(text));

test.each([
  [950, '950'],
  [1200, '1.2K'],
  [45_000, '45K'],
  [999_500, '1M'],
  [1_234_567, '1.2M'],
  [Number.POSITIVE_INFINITY, '?'],
])('%d is %s', (value, text) => expect(count(value)).toBe(text));

test.each([
  [1, '1 KB'],
  [950_000, '950 KB'],
  [1_400_000, '1.4 MB'],
  [999_949_999, '999.9 MB'],
  [4_000_000_000, '4.0 GB'],
])('%d bytes are %s', (bytes, text) => expect(size(bytes)).toBe(text));

test('one and many', () => {
  expect([0, 1, 1200].map((value) => counted(value, 'file'))).toEqual(['0 files', '1 file', '1,200 files']);
  for (const value of [999, 1000, 10_007, 1_000_000, 98_765_432_100, 1.5, -3])
    expect(counted(value, 'file')).toBe(`${value.toLocaleString('en')} files`);
  expect([Number.NaN, Number.POSITIVE_INFINITY].map((value) => counted(value, 'file'))).toHaveLength(2);
  expect(counted(2, 'match', 'matches')).toBe('2 matches');
});

test('tokens with what came from the cache, and what they leave out', () => {
  expect(
    tokens({ inputTokens: 300_000, cacheReadTokens: 850_000, cacheWriteTokens: 50_000, outputTokens: 45_000 }),
  ).toBe('1.2M in (850K cached) / 45K out');
  expect(tokens({ outputTokens: 5, lacks: 'sub-agents' })).toBe('5 out without sub-agents');
  expect(tokens({ inputTokens: 5, cacheReadTokens: 7 })).toBe('12 in (7 cached)');
  expect(tokens({})).toBeUndefined();
});
