/** An output that makes its writer wait while the reader is slow, and that is simply over when the reader is gone. */
import type { Writable } from 'node:stream';

export interface Sink {
  /** Resolves when more may be written; at once where the reader keeps up. */
  write(data: string | Uint8Array): Promise<void> | undefined;
  /** Aborted when nobody reads any more (`| head`): a reason to stop, not a failure. */
  readonly closed: AbortSignal;
}

export function createSink(stream: Writable): Sink {
  const closed = new AbortController();
  let failure: Error | undefined;
  // Stays for the life of the process: a late EPIPE without a listener would end it with a stack.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!GONE.has(error.code ?? '')) failure = error;
    closed.abort();
  });
  return {
    closed: closed.signal,
    write(data) {
      if (failure) throw failure;
      if (closed.signal.aborted || data.length === 0 || stream.write(data)) return undefined;
      return new Promise((resolve) => {
        const go = () => {
          stream.off('drain', go);
          closed.signal.removeEventListener('abort', go);
          resolve();
        };
        stream.on('drain', go);
        closed.signal.addEventListener('abort', go);
      });
    },
  };
}

/** How systems say that the reader went away. */
const GONE = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED']);
