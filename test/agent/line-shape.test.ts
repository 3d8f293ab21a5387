/** What is found by the shape of a line is what reading the line finds, or nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineShapes, numberAt, type ShapePaths, type ShapeRules, sameAt, textAt } from '../../src/agent/line-shape.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const ALL: ShapeRules = { within: [], ends: new Set<string>(), fixed: new Set(['type']), telling: [9, 20] };

interface Values {
  id: string;
  count: number;
  inner: string;
  deep: number;
  list: (string | number)[];
  flag: boolean | null;
}

const lineOf = ({ id, count, inner, deep, list, flag }: Values, type = 'call') =>
  JSON.stringify({ type, id, usage: { count, more: { deep }, inner }, list: [{ list }], flag, last: id });

/** Its values by their paths, as the shape finds them; undefined when no shape is alike to the end. */
function found(shapes: LineShapes<ShapePaths>, text: string): Record<string, unknown> | undefined {
  const bytes = bytesOf(text);
  const paths = shapes.find(bytes, 0, bytes.length);
  if (!paths || shapes.at !== bytes.length) return undefined;
  const part = (slot: number) => new TextDecoder().decode(bytes.subarray(shapes.begin(slot), shapes.behind(slot)));
  return Object.fromEntries(
    [...paths.keys()].flatMap((path) => {
      const [letters, digits, same] = [textAt(paths, path), numberAt(paths, path), sameAt(paths, path)];
      if (letters !== undefined) return [[path, part(letters)]];
      if (digits !== undefined) return [[path, Number(part(digits))]];
      return same ? [[path, JSON.parse(same)]] : [];
    }),
  );
}

function learned(text: string): LineShapes<ShapePaths> {
  const shapes = new LineShapes<ShapePaths>(ALL, (paths) => paths);
  const bytes = bytesOf(text);
  shapes.learn(bytes, 0, bytes.length);
  return shapes;
}

const read = ({ id, count, inner, deep, flag }: Values, type = 'call') => ({
  ...{ type, id, 'usage.count': count, 'usage.more.deep': deep, 'usage.inner': inner, flag, last: id },
});

const plain = fc.stringMatching(/^[ !#-[\]-~]*$/);
const figure = fc.oneof(fc.nat(), fc.constantFrom(0, -3, 0.25, 12.5));
const values = (text: fc.Arbitrary<string>, number: fc.Arbitrary<number>): fc.Arbitrary<Values> =>
  fc.record({
    ...{ id: text, count: number, inner: text, deep: number },
    list: fc.tuple(text, number),
    flag: fc.constant(null),
  });

test('a line that is alike is found with its own values', () => {
  fc.assert(
    fc.property(values(plain, figure), values(plain, figure), (first, second) => {
      expect(found(learned(lineOf(first)), lineOf(second))).toEqual(read(second));
    }),
  );
});

test('whatever stands in a line, what is found is what it says', () => {
  const odd = fc.oneof(plain, fc.string({ unit: 'grapheme' }), fc.constantFrom('","id":"x', '\\', '1'));
  fc.assert(
    fc.property(
      values(odd, fc.oneof(figure, fc.double({ noNaN: true, noDefaultInfinity: true }))),
      values(odd, figure),
      (first, second) => {
        const shapes = learned(lineOf(first));
        expect([undefined, read(second)]).toContainEqual(found(shapes, lineOf(second)));
      },
    ),
  );
});

test('a line that is no longer JSON is never found, and one of another kind neither', () => {
  const sample = { id: 'a-1', count: 12, inner: 'x', deep: 3, list: ['y', 4], flag: null };
  const shapes = learned(lineOf(sample));
  const text = lineOf({ ...sample, id: 'b-22', count: 7 });
  expect(found(shapes, text)).toBeDefined();
  expect(found(shapes, lineOf(sample, 'other'))).toBeUndefined();
  for (let at = 0; at < text.length; at += 1) {
    for (const letter of ['', '"', '\\', '0', '{', ',', '\u0001']) {
      const broken = text.slice(0, at) + letter + text.slice(at + 1);
      const values = found(shapes, broken);
      if (values) expect(values.id).toBe(JSON.parse(broken).id);
    }
  }
});

test('a key that comes twice or in other letters, and blanks between values, are not learned', () => {
  for (const text of ['{"type":"a","id":"x","id":"y"}', '{"type":"a","i\\u0064":"x"}', '{"type": "a","id":"x"}'])
    expect(found(learned(text), text)).toBeUndefined();
});
