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
    return cutAt(
      bytes,
      cuts.sort((a, b) => a - b),
    );
  });
}

/** At most this many bytes come one at a time; larger inputs only in larger pieces. */
const bytewiseBytes = 20_000;

/**
 * Few ways to cut a long input, chosen to hurt: at every place where something is torn (a character, an escape, a line from its
 * end), byte by byte, and three at random. `test/cut/suite.test.ts` shows what they find.
 */
export function awkwardCuts(bytes: Uint8Array): Uint8Array[][] {
  const torn = cutAt(bytes, tears(bytes));
  const random = fc.sample(anyChunking(bytes), 3);
  return bytes.length > bytewiseBytes ? [torn, ...random] : [torn, cutAt(bytes, [...bytes.keys()]), ...random];
}

/** Inside each character of several bytes, inside each escape, before and behind each line end. */
function tears(bytes: Uint8Array): number[] {
  return [...bytes.keys()].filter((at) => {
    const [before = 0, here = 0] = [bytes[at - 1], bytes[at]];
    return (here & 0xc0) === 0x80 || before === BACKSLASH || here === NEWLINE || before === NEWLINE;
  });
}

const NEWLINE = 0x0a;
const BACKSLASH = 0x5c;

function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const edges = [0, ...cuts, bytes.length];
  return edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
}

export function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
