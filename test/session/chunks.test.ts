import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  append,
  CHUNK_LENGTH,
  type Chunks,
  emptyChunks,
  entries,
  entryAt,
  leaves,
  values,
  withEntry,
  withoutEntry,
} from '../../src/session/table/chunks.js';

const counted = (length: number) =>
  Array.from({ length }, (_, number) => ({ number })).reduce(append, emptyChunks<{ number: number }>());

test.each([0, 1, 63, 64, 65, 4095, 4096, 4097, 300_000])('%i appended entries are there, in order', (length) => {
  const list = counted(length);
  expect([list.size, list.count]).toEqual([length, length]);
  let position = 0;
  for (const [at, { number }] of entries(list)) {
    if (at !== position || number !== position) expect([at, number]).toEqual([position, position]);
    position++;
  }
  expect(position).toBe(length);
  expect(entryAt(list, length)).toBeUndefined();
});

test('no array is longer than a chunk', () => {
  for (const length of [1, 64, 65, 5000, 300_000])
    expect(longestArray(counted(length))).toBeLessThanOrEqual(CHUNK_LENGTH);
});

test('writing one entry keeps every other one, and the list before as it was', () => {
  const before = counted(5000);
  const after = withEntry(before, 77, { number: -1 });
  expect(entryAt(before, 77)).toEqual({ number: 77 });
  const differing = [...values(after)].filter((entry, position) => entry !== entryAt(before, position));
  expect(differing).toEqual([{ number: -1 }]);
  const shared = new Set([...leaves(before)].map(([, leaf]) => leaf));
  expect([...leaves(after)].filter(([, leaf]) => !shared.has(leaf))).toHaveLength(1);
});

test.each([-1, 0.5, Number.NaN, 2 ** 30, Number.POSITIVE_INFINITY])(
  'a position that cannot be (%d) is ignored',
  (position) => {
    expect(withEntry(counted(3), position, { number: 9 })).toEqual(counted(3));
    expect(entryAt(counted(3), position)).toBeUndefined();
  },
);

test('it behaves as a sparse array does, whatever is written and removed where, printed and parsed in between', () => {
  const position = fc.oneof(fc.nat(5), fc.nat(200), fc.nat(70_000), fc.nat(2 ** 30 - 1));
  const step = fc.record({ position, remove: fc.boolean(), reparse: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let list: Chunks<number> = emptyChunks();
      const model = new Map<number, number>();
      for (const [value, { position: at, remove, reparse }] of steps.entries()) {
        list = remove ? withoutEntry(list, at) : withEntry(list, at, value);
        if (remove) model.delete(at);
        else model.set(at, value);
        if (reparse) list = JSON.parse(JSON.stringify(list));
        expect(entryAt(list, at)).toBe(model.get(at));
      }
      expect([...entries(list)]).toEqual([...model].sort(([left], [right]) => left - right));
      expect(list.count).toBe(model.size);
      expect(longestArray(list)).toBeLessThanOrEqual(CHUNK_LENGTH);
    }),
  );
});

function longestArray(list: Chunks<unknown>): number {
  let longest = 0;
  JSON.stringify([list.root, list.tail], (_, value) => {
    if (Array.isArray(value)) longest = Math.max(longest, value.length);
    return value;
  });
  return longest;
}
