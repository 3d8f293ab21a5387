import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPassThrough } from '../../src/cli/stream/pass-through.js';

const TOKEN = `ghp_${'a1B2c3D4'.repeat(5)}`;

function passed(bytes: Uint8Array, size: number): { out: Buffer; held: number } {
  const talk = createPassThrough();
  const out: Uint8Array[] = [];
  let [into, from, held] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size);
    out.push(talk.push(piece));
    into += piece.length;
    from += out.at(-1)?.length ?? 0;
    held = Math.max(held, into - from);
  }
  out.push(talk.end());
  return { out: Buffer.concat(out), held };
}

test('bytes without a secret stay as they are, however they are cut', () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 20 }),
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => Buffer.from(text)),
    fc
      .constantFrom('💀', '\u{1f4ff}', 'é', '\0', '\ufeff', '\r\n', '\x1b[31m', 'ghp_', 'x=')
      .map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
      const bytes = Buffer.concat(parts);
      const { out } = passed(bytes, size);
      // Random bytes may look like one; the guard is right then.
      if (!out.includes('[redacted:')) expect(out.toString('latin1')).toBe(bytes.toString('latin1'));
    }),
    { numRuns: 300 },
  );
});

test.each([1, 3, 7, 4096])('a secret between bytes of any kind is replaced, in pieces of %i', (size) => {
  const around = Buffer.from([0xff, 0xc3, 0x00, 0xf0, 0x9f, 0x20]);
  const { out } = passed(Buffer.concat([around, Buffer.from(TOKEN), Buffer.from(' '), around]), size);
  const expected = Buffer.concat([around, Buffer.from('[redacted:github-token] '), around]);
  expect(out.toString('latin1')).toBe(expected.toString('latin1'));
});

test('of a line without an end little is held back', () => {
  const { out, held } = passed(Buffer.alloc(8 * 2 ** 20, 'x'), 65_536);
  expect(out.length).toBe(8 * 2 ** 20);
  expect(held).toBeLessThan(65_536 + 16_384);
});
