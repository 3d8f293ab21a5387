import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLineSplitter } from '../../src/jsonl/index.js';

const text = fc.string({ unit: fc.constantFrom('a', 'é', '\n', '\r', '\u2028', ' ') });

test('the same lines however the bytes are cut, and every byte once', () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat(8)), (input, cuts) => {
      const bytes = Buffer.from(input);
      const splitter = createLineSplitter();
      const lines: Uint8Array[] = [];
      let at = 0;
      for (const size of cuts) {
        lines.push(...splitter.push(bytes.subarray(at, at + size)));
        at += size;
        const whole = lines.reduce((sum, { length }) => sum + length, 0);
        expect(splitter.openBytes).toBe(Math.min(at, bytes.length) - whole);
      }
      lines.push(...splitter.push(bytes.subarray(at)), ...splitter.end());
      expect(lines.map((line) => Buffer.from(line).toString())).toEqual(input.match(/[^\n]*\n|[^\n]+$/g) ?? []);
      expect(splitter.end()).toEqual([]);
    }),
  );
});

test('a line that came in one piece is not copied', () => {
  const bytes = Buffer.from('one\ntwo\nthr');
  const lines = createLineSplitter().push(bytes);
  expect(lines.map((line) => line.buffer === bytes.buffer)).toEqual([true, true]);
});
