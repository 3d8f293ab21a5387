/**
 * Everything that bytes can be read from, behind one pull: byte arrays, text, iterables (Node streams are such), web
 * streams, and blobs, which are the platform-free way to a file (`fs.openAsBlob`, a file input in a page).
 */
import { GlassboxError } from '../event/index.js';
import { createTextEncoder } from './utf8.js';

export type ByteSource = Uint8Array | string | Iterable<Piece> | AsyncIterable<Piece> | WebStream | BlobLike;

type Piece = Uint8Array | string;

/** The part of the web's `ReadableStream` that is used. */
export interface WebStream {
  getReader(): WebStreamReader;
}

interface WebStreamReader {
  read(): Promise<{ done: boolean; value?: unknown }>;
  cancel(): Promise<unknown>;
}

/** The part of `Blob` and `File` that is used. */
export interface BlobLike {
  stream(): WebStream;
}

/** The part of `AbortSignal` that is used. */
export interface Signal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

export interface ByteReader {
  /** The next bytes; undefined at the end and after `close`. Rejects once with a `GlassboxError` when the source fails. */
  read(): Promise<Uint8Array | undefined>;
  /** Lets go of the source and waits for the read under way, so that none is left running. */
  close(): Promise<void>;
}

/**
 * Opens a source. Aborting the signal closes it, which also ends a read that waits for more; a source of which reads
 * cannot be ended is waited for.
 */
export function openSource(source: ByteSource, signal?: Signal): ByteReader {
  const { next, stop } = openPieces(source);
  const encoder = createTextEncoder();
  let underWay: Promise<Uint8Array | undefined> | undefined;
  let closing: Promise<void> | undefined;
  const onAbort = () => void close();

  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  return { read, close };

  async function read(): Promise<Uint8Array | undefined> {
    if (closing) return undefined;
    underWay = pull();
    try {
      const bytes = await underWay;
      return closing ? undefined : bytes;
    } catch (error) {
      // A source that is torn away while it waits complains; nobody wants to hear it.
      if (closing) return undefined;
      await close();
      throw asReadError(error);
    } finally {
      underWay = undefined;
    }
  }

  async function pull(): Promise<Uint8Array | undefined> {
    const { done, value } = await next();
    if (value instanceof Uint8Array) return value;
    if (typeof value === 'string') return encoder.push(value);
    if (!done) throw new TypeError('The source gave something that is neither bytes nor text.');
    const rest = encoder.end();
    return rest.length > 0 ? rest : undefined;
  }

  function close(): Promise<void> {
    closing ??= (async () => {
      signal?.removeEventListener('abort', onAbort);
      await Promise.allSettled([stop(), underWay]);
    })();
    return closing;
  }
}

interface Pieces {
  next(): Promise<{ done?: boolean; value?: unknown }>;
  /** Ends the source; a pending `next` settles if the source can do that at all. */
  stop(): Promise<unknown>;
}

function openPieces(source: ByteSource): Pieces {
  if (source instanceof Uint8Array || typeof source === 'string') return fromIterator(slices(source));
  if ('getReader' in source) return fromWebStream(source);
  if (Symbol.asyncIterator in source) return fromIterator(source[Symbol.asyncIterator](), source);
  if ('stream' in source) return fromWebStream(source.stream());
  if (Symbol.iterator in source) return fromIterator(source[Symbol.iterator]());
  throw new GlassboxError('invalid-request', 'The source is not bytes, text, an iterable, a stream or a blob.');
}

function fromWebStream(stream: WebStream): Pieces {
  const reader = stream.getReader();
  return { next: () => reader.read(), stop: () => reader.cancel() };
}

function fromIterator(iterator: Iterator<Piece> | AsyncIterator<Piece>, owner?: object): Pieces {
  return {
    next: async () => iterator.next(),
    stop: async () => {
      // The iterator of a Node stream answers `return` only after the read that waits, so the stream itself has to end that.
      if (owner && isDestroyable(owner)) owner.destroy();
      await iterator.return?.();
    },
  };
}

/** Small pieces, so that a large input is not decoded in one go. */
const SLICE = 64 * 1024;

function* slices(source: Uint8Array | string): Generator<Piece> {
  for (let start = 0; start < source.length; start += SLICE) {
    yield typeof source === 'string' ? source.slice(start, start + SLICE) : source.subarray(start, start + SLICE);
  }
}

function isDestroyable(value: object): value is { destroy(): void } {
  return 'destroy' in value && typeof value.destroy === 'function';
}

function asReadError(error: unknown): GlassboxError {
  return new GlassboxError('read-failed', 'The input could not be read to its end.', { cause: error });
}
