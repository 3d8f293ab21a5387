/** The raw end of an agent's output, kept only on request and never more than asked for. */

export interface Capture {
  push(bytes: Uint8Array): void;
  text(): string;
}

export function createCapture(maxBytes: number): Capture {
  let chunks: Uint8Array[] = [];
  let size = 0;
  return {
    push(bytes) {
      chunks.push(bytes);
      size += bytes.length;
      // Joined only when twice too much is there, so that many small chunks cost no more than a few large ones.
      if (size > 2 * maxBytes) {
        const kept = Buffer.concat(chunks).subarray(-maxBytes);
        chunks = [Buffer.from(kept)];
        size = kept.length;
      }
    },
    text: () => Buffer.concat(chunks).subarray(-maxBytes).toString('utf8'),
  };
}
