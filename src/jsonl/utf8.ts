/** UTF-8 in both directions, strict: bytes that are not UTF-8 give nothing rather than replacement characters. */

/** Declared here because the pure folders compile without Node and without the DOM; every platform has them. */
declare const TextDecoder: new (
  label: 'utf-8',
  options: { fatal: true; ignoreBOM: true },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

// Never called with `stream: true`: Node then leaves its fast path for good, so what is cut off is kept back by hand.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export const NOTHING = new Uint8Array(0);

/** The text, or undefined when the bytes are not UTF-8. A byte order mark stays in the text. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** How many of these bytes can be decoded without cutting a character in two; at most three are left over. */
export function wholeCharacters(bytes: Uint8Array): number {
  const { length } = bytes;
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] as number;
    if (byte >= 0x80 && byte < 0xc0) continue;
    return back < sequenceLength(byte) ? length - back : length;
  }
  return length;
}

/** Turns pieces of text into bytes; a surrogate pair that is split over two pieces comes out whole. */
export function createTextEncoder(): { push(text: string): Uint8Array; end(): Uint8Array } {
  let half = '';
  return {
    push(text) {
      const all = half + text;
      const last = all.charCodeAt(all.length - 1);
      half = last >= 0xd800 && last < 0xdc00 ? all.slice(-1) : '';
      return encoder.encode(half ? all.slice(0, -1) : all);
    },
    end() {
      const rest = half ? encoder.encode(half) : NOTHING;
      half = '';
      return rest;
    },
  };
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
