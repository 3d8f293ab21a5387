/** Ways to cut an input into pieces, for tests which claim that the pieces do not matter. */
import fc from 'fast-check';

/** Every way to cut into two pieces, and one byte at a time. */
export function everySplit(bytes: Uint8Array): Uint8Array[][] {
  const splits = Array.from({ length: bytes.length + 1 }, (_, at) => [bytes.subarray(0, at), bytes.subarray(at)]);
  return [...splits, Array.from(bytes, (_, at) => bytes.subarray(at, at + 1))];
}

/** Any cutting, empty pieces included. */
export function anyChunking(bytes: Uint8Array): fc.Arbitrary<Uint8Array[]> {
  return fc.array(fc.nat(bytes.length), { maxLength: 30 }).map((cuts) => {
    const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
    return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
  });
}

export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
