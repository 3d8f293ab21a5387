/** An output that makes its writer wait while the reader is slow, and that is simply over when the reader is gone. */
import type { Writable } from 'node:stream';
import { GlassboxError } from '../../event/index.js';

export interface Sink {
  /** Resolves when more may be written; at once where the reader keeps up. Throws a `GlassboxError` when nothing can be. */
  write(data: string | Uint8Array): Promise<void> | undefined;
  /** Aborted when nobody reads any more (`| head`): a reason to stop, not a failure. */
  readonly closed: AbortSignal;
}

export function createSink(stream: Writable): Sink {
  const closed = new AbortController();
  let failure: GlassboxError | undefined;
  const onError = (error: NodeJS.ErrnoException) => {
    if (!isGone(error, stream)) failure = writeError(error);
    closed.abort();
  };
  // Stays for the life of the process: a late EPIPE without a listener would end it with a stack.
  stream.on('error', onError);

  function tryWrite(data: string | Uint8Array): boolean {
    try {
      return stream.write(data);
    } catch (error) {
      // Files are written at once and throw; pipes report later.
      onError(error as NodeJS.ErrnoException);
      return true;
    }
  }

  return {
    closed: closed.signal,
    write(data) {
      const isReady = closed.signal.aborted || data.length === 0 || tryWrite(data);
      if (failure) throw failure;
      if (isReady) return undefined;
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

/** Lines that a command prints once it knows all of them; resolves when they are out. */
export function print(stream: Writable, lines: readonly string[]): Promise<void> {
  const sink = createSink(stream);
  return new Promise((resolve, reject) => {
    if (lines.length === 0 || sink.closed.aborted) resolve();
    else {
      stream.write(`${lines.join('\n')}\n`, (error) =>
        error && !isGone(error, stream) ? reject(writeError(error)) : resolve(),
      );
    }
  });
}

/** How systems say that the reader went away. */
const GONE = new Set(['EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED']);

/** A terminal whose window was closed says what a disk says that fails. */
const isGone = ({ code = '' }: NodeJS.ErrnoException, stream: Writable & { isTTY?: boolean }): boolean =>
  GONE.has(code) || (code === 'EIO' && stream.isTTY === true);

function writeError(error: NodeJS.ErrnoException): GlassboxError {
  return new GlassboxError('write-failed', `The output could not be written (${error.code}).`, { cause: error });
}
