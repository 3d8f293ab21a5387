/** Nothing else ends a line: U+2028, U+2029 and a lone CR are legal inside a line of JSON. */
const LF = 0x0a;

/** Bytes in, in pieces of any size; lines as they came out, each with its LF. Linear; a line is copied only if it came in pieces. */
export interface LineSplitter {
  push(bytes: Uint8Array): Uint8Array[];
  /** The last line, when it has no LF. */
  end(): Uint8Array[];
  /** Of the line whose end has not been seen. */
  readonly openBytes: number;
}

export function createLineSplitter(): LineSplitter {
  let open: Uint8Array[] = [];
  let openBytes = 0;

  function take(last?: Uint8Array): Uint8Array {
    const line = last && open.length === 0 ? last : join(last ? [...open, last] : open);
    open = [];
    openBytes = 0;
    return line;
  }

  return {
    get openBytes() {
      return openBytes;
    },
    push(bytes) {
      const lines: Uint8Array[] = [];
      let start = 0;
      for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, start)) {
        lines.push(take(bytes.subarray(start, end + 1)));
        start = end + 1;
      }
      if (start < bytes.length) {
        open.push(bytes.subarray(start));
        openBytes += bytes.length - start;
      }
      return lines;
    },
    end: () => (openBytes > 0 ? [take()] : []),
  };
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
