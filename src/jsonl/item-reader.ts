import type { GlassboxError } from '../event/index.js';
import { type ByteSource, openSource, type Signal } from './byte-source.js';
import { createLineDecoder, type Item, type LineOptions } from './line-decoder.js';

export interface ReadOptions extends LineOptions {
  /** Aborting stops the reading and closes the source. */
  signal?: Signal;
}

/** What `next` finds. The end is an answer of its own, and says so when it came because the source failed. */
export type NextItem = { done: false; item: Item } | { done: true; error?: GlassboxError };

/** Pulls one line after the other. A bad line is an answer like any other: the following call gives the following line. */
export interface ItemReader {
  /** Never rejects; calls that overlap are answered in order. */
  next(): Promise<NextItem>;
  /** Lets go of the source, whose read under way is awaited. */
  close(): Promise<void>;
}

export function createItemReader(source: ByteSource, options: ReadOptions = {}): ItemReader {
  const decoder = createLineDecoder(options);
  const reader = openSource(source, options.signal);
  let items: Item[] = [];
  let position = 0;
  let end: NextItem | undefined;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();

  return {
    next() {
      const answer = turn.then(advance);
      turn = answer;
      return answer;
    },
    close() {
      closed = true;
      return reader.close();
    },
  };

  async function advance(): Promise<NextItem> {
    while (position === items.length && !end) await refill();
    if (closed || options.signal?.aborted) return { done: true };
    const item = items[position];
    if (!item) return end ?? { done: true };
    position++;
    return { done: false, item };
  }

  async function refill(): Promise<void> {
    const bytes = await reader.read().catch((error: GlassboxError) => {
      end = { done: true, error };
      return undefined;
    });
    position = 0;
    items = bytes ? decoder.push(bytes) : decoder.end();
    if (bytes) return;
    end ??= { done: true };
    await reader.close();
  }
}
