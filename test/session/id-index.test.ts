import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyIndex, type IdIndex, numberOf, withId } from '../../src/session/table/id-index.js';

const filled = (ids: readonly string[]) => ids.reduce((index, id, number) => withId(index, id, number), emptyIndex);

test('finds every one of 50,000 ids that differ at their end, and none that was not added', () => {
  const ids = Array.from({ length: 50_000 }, (_, number) => `toolu_0123456789abcdef_${number}`);
  const index = filled(ids);
  expect(ids.filter((id, number) => numberOf(index, id) !== number)).toEqual([]);
  expect(numberOf(index, 'toolu_')).toBeUndefined();
  expect(depthOf(index)).toBeLessThan(8);
});

test.each(['', '__proto__', 'constructor', '0', 'toString', '\ud800'])('%j is an id like any other', (id) => {
  expect(numberOf(emptyIndex, id)).toBeUndefined();
  expect(numberOf(withId(emptyIndex, id, 7), id)).toBe(7);
});

test('behaves as a map does, printed and parsed in between, and leaves the index before as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.nat()), { maxLength: 200 }), (pairs) => {
      let index: IdIndex = emptyIndex;
      const model = new Map<string, number>();
      for (const [id, number] of pairs) {
        const before = index;
        const known = model.get(id);
        index = JSON.parse(JSON.stringify(withId(before, id, number)));
        model.set(id, number);
        expect(numberOf(before, id)).toBe(known);
      }
      for (const [id, number] of model) expect(numberOf(index, id)).toBe(number);
    }),
  );
});

test('ids whose hashes are equal stay apart', () => {
  const ids = colliding(40);
  const index = filled(ids);
  expect(ids.map((id) => numberOf(index, id))).toEqual(ids.map((_, number) => number));
});

/** Pairs of two-character strings with the same hash, put one after the other in every combination, collide all. */
function colliding(count: number): string[] {
  const step = (hash: number, id: string) =>
    [...id].reduce((sum, character) => Math.imul(sum ^ character.charCodeAt(0), 0x01000193), hash) >>> 0;
  const pairs: [string, string][] = [];
  let hash = 0x811c9dc5;
  while (2 ** pairs.length < count) {
    const seen = new Map<number, string>();
    let pair: [string, string] | undefined;
    for (let code = 0; pair === undefined; code++) {
      const text = String.fromCharCode(code & 0xffff, 0x30 + (code >>> 16), code & 0x7fff);
      const sum = step(hash, text);
      const twin = seen.get(sum);
      if (twin !== undefined && twin !== text) pair = [twin, text];
      seen.set(sum, text);
    }
    pairs.push(pair);
    hash = step(hash, pair[0]);
  }
  return Array.from({ length: count }, (_, number) => pairs.map((pair, bit) => pair[(number >> bit) & 1]).join(''));
}

function depthOf(index: IdIndex): number {
  return Array.isArray(index[0]) ? 1 + Math.max(...index.map((child) => depthOf(child as IdIndex))) : 0;
}
