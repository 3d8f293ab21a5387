/** One run's events for any number of readers: lossless while somebody reads, bounded while nobody does. */
import type { AgentEvent, EventOf } from '../event/index.js';

export interface EventQueue {
  push(events: readonly AgentEvent[]): void;
  /** No more events will come. */
  end(): void;
  /** A new reader, from the first event that is still kept. It counts as a reader until it ends or is let go. */
  read(): AsyncIterableIterator<AgentEvent>;
  /** The slowest reader is too far behind: stop filling until `onRoom`. */
  isFull(): boolean;
  hasReaders(): boolean;
  /** Ends every reader at once, whatever it has not read yet. */
  abandon(): void;
  /** Settles when no more events will come and every current reader has taken the end or let go (DR-0012). */
  readonly finality: Promise<void>;
}

export interface QueueOptions {
  /** Events that the slowest reader may be behind. */
  ahead?: number;
  /** Most that is kept for a first reader who is late. */
  keepBytes?: number;
  /** Called when a full queue has room again. */
  onRoom?: () => void;
  /** Called when the last reader lets go before the end. */
  onDrop?: () => void;
}

interface Reader {
  /** Position of the next event, counted over the whole run. */
  position: number;
  /** Told first, when this reader came too late for some events. */
  gap: EventOf<'gap'> | undefined;
  waiting: ((result: IteratorResult<AgentEvent>) => void)[];
}

const MIB = 1024 * 1024;
const END: IteratorResult<AgentEvent> = { done: true, value: undefined };

export function createEventQueue(options: QueueOptions = {}): EventQueue {
  const { ahead = 32, keepBytes = 16 * MIB, onRoom, onDrop } = options;
  const readers = new Set<Reader>();
  /** Events from position `released` on; slots before `head` are already released. */
  let kept: (AgentEvent | undefined)[] = [];
  let head = 0;
  let released = 0;
  let lastReleased: AgentEvent | undefined;
  let keptBytes = 0;
  let hadReader = false;
  let ended = false;
  let settle: () => void = () => {};
  const finality = new Promise<void>((resolve) => {
    settle = resolve;
  });

  const total = () => released + kept.length - head;
  const isFull = () => readers.size > 0 && kept.length - head >= ahead;

  function releaseTo(position: number): void {
    while (released < position) {
      lastReleased = kept[head];
      kept[head] = undefined;
      head += 1;
      released += 1;
    }
    // Compacting only when half is empty keeps the whole thing linear.
    if (head > 1024 && head > kept.length / 2) {
      kept = kept.slice(head);
      head = 0;
    }
  }

  function releaseRead(): void {
    const wasFull = isFull();
    let slowest = total();
    for (const reader of readers) slowest = Math.min(slowest, reader.position);
    releaseTo(slowest);
    if (wasFull && !isFull()) onRoom?.();
  }

  function keepWithinBytes(events: readonly AgentEvent[]): void {
    for (const event of events) keptBytes += estimateBytes(event);
    while (keptBytes > keepBytes && released < total()) {
      keptBytes -= estimateBytes(kept[head]);
      releaseTo(released + 1);
    }
  }

  function take(reader: Reader): IteratorResult<AgentEvent> | undefined {
    if (reader.gap) {
      const value = reader.gap;
      reader.gap = undefined;
      return { done: false, value };
    }
    const event = kept[head + reader.position - released];
    if (event) {
      reader.position += 1;
      releaseRead();
      return { done: false, value: event };
    }
    if (!ended) return undefined;
    leave(reader);
    return END;
  }

  function leave(reader: Reader): void {
    if (!readers.delete(reader)) return;
    for (const resolve of reader.waiting.splice(0)) resolve(END);
    if (readers.size === 0 && !ended) {
      const wasFull = kept.length - head >= ahead;
      releaseTo(total());
      if (wasFull) onRoom?.();
      onDrop?.();
    } else {
      releaseRead();
    }
    if (ended && readers.size === 0) settle();
  }

  function serve(reader: Reader): void {
    while (reader.waiting.length > 0) {
      const result = take(reader);
      if (!result) return;
      reader.waiting.shift()?.(result);
    }
  }

  return {
    push(events) {
      for (const event of events) kept.push(event);
      if (readers.size === 0) {
        if (hadReader) releaseTo(total());
        else keepWithinBytes(events);
      }
      for (const reader of readers) serve(reader);
    },
    end() {
      ended = true;
      for (const reader of [...readers]) serve(reader);
      if (readers.size === 0) settle();
    },
    read() {
      const reader: Reader = { position: released, gap: gapBefore(lastReleased), waiting: [] };
      readers.add(reader);
      hadReader = true;
      return {
        next() {
          if (!readers.has(reader)) return Promise.resolve(END);
          return new Promise((resolve) => {
            reader.waiting.push(resolve);
            serve(reader);
          });
        },
        return() {
          leave(reader);
          return Promise.resolve(END);
        },
        [Symbol.asyncIterator]() {
          return this;
        },
      };
    },
    isFull,
    hasReaders: () => readers.size > 0,
    abandon() {
      for (const reader of [...readers]) leave(reader);
    },
    finality,
  };
}

/** Stands in the place of everything up to `last`, so that numbers go on without a hole. */
function gapBefore(last: AgentEvent | undefined): EventOf<'gap'> | undefined {
  if (!last) return undefined;
  const { seq, at, runId, agent, turn } = last;
  const why = 'no longer kept when this reader came';
  return { type: 'gap', from: 1, to: seq, why, fromSeq: 1, seq, at, runId, agent, turn, source: 'synthetic' };
}

/** Roughly what an event holds in memory; strings are nearly all of it. Not recursive: an input may be nested very deeply. */
function estimateBytes(event: unknown): number {
  const open: unknown[] = [event];
  let bytes = 0;
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') bytes += 2 * value.length;
    bytes += 16;
    if (typeof value === 'object' && value !== null)
      for (const part of Object.values(value)) if (part !== undefined) open.push(part);
  }
  return bytes;
}
