/** What is found in the bytes of a line is what reading the line finds. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RawFields, timeAt } from '../../src/agent/raw-fields.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Its fields as they stand there, or undefined when it does not end where it should. */
function fieldsOf(text: string): [string, string][] | undefined {
  const bytes = bytesOf(text);
  const fields = new RawFields();
  const found: [string, string][] = [];
  const part = (from: number, to: number) => new TextDecoder().decode(bytes.subarray(from, to));
  fields.begin(bytes, 0, bytes.length);
  while (fields.next() && fields.skip())
    found.push([part(fields.keyFrom, fields.keyTo), part(fields.valueFrom, fields.valueTo)]);
  return fields.isWhole ? found : undefined;
}

test('every field of any object is found, whatever stands in it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme', minLength: 1 }), fc.jsonValue()), (value) => {
      const expected = Object.entries(value).map(([key, field]) => [
        JSON.stringify(key).slice(1, -1),
        JSON.stringify(field),
      ]);
      const text = JSON.stringify(value);
      expect(expected.length === 0 ? [] : fieldsOf(text)).toEqual(expected);
    }),
  );
});

test('a long text ends with its own quote, whatever is escaped in it', () => {
  const piece = fc.constantFrom('a', 'b'.repeat(60), '"', '\\', '\\"', '\n', 'ü', '}');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const value = { text: pieces.join(''), next: 1 };
      expect(fieldsOf(JSON.stringify(value))?.map(([, field]) => JSON.parse(field))).toEqual(Object.values(value));
    }),
  );
});

test('a line that is cut anywhere does not come to its end', () => {
  const text = JSON.stringify({ a: 'x"}\\', b: { c: [1, '}'], d: null }, e: true });
  for (let length = 0; length < text.length; length += 1) expect(fieldsOf(text.slice(0, length))).toBeUndefined();
});

test('a time is that of Date.parse, or it has to be read', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
      const bytes = bytesOf(`"${date.toISOString()}"`);
      expect(timeAt(bytes, 0, bytes.length)).toBe(date.getTime());
    }),
  );
  for (const text of [
    '"2026-11-17T04:31:46Z"',
    '"2026-11-17T04:31:46.12xZ"',
    '"2026-11-17 04:31:46.123Z"',
    '"2026-13-17T04:31:46.123Z"',
    '"2026-11-17T24:31:46.123Z"',
    'null',
  ]) {
    const bytes = bytesOf(text);
    expect(timeAt(bytes, 0, bytes.length)).toBeUndefined();
  }
});
