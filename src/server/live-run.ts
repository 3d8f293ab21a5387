/**
 * The newest events of a run that goes on in this process, printed once for all viewers. Viewers pull: a slow one falls
 * behind without holding anything back, and finds in the store what is no longer here.
 */
import type { AgentEvent } from '../event/index.js';
import { message } from './event-stream.js';

export interface LiveRun {
  push(event: AgentEvent): void;
  /** What came after `seq`, or `gone` when some of it is no longer here; undefined when there is nothing new. */
  after(seq: number): Piece | 'gone' | undefined;
  /** Resolves when there is something after `seq`, the run has ended, or the signal fires. */
  more(seq: number, signal: AbortSignal): Promise<void>;
  end(): void;
  isEnded(): boolean;
}

/** Messages of the stream, ready to be written, up to the event with this number. */
export interface Piece {
  seq: number;
  bytes: Uint8Array;
}

export function messageOf(event: AgentEvent): string {
  return message(JSON.stringify({ schema: 1, ...event }), event.seq);
}

interface Frame {
  seq: number;
  fromSeq: number;
  text: string;
}

/** Enough for the store to catch up many times over. */
const KEPT_BYTES = 4 * 1024 * 1024;

export function createLiveRun(): LiveRun {
  const frames: Frame[] = [];
  const waiting = new Set<() => void>();
  let bytes = 0;
  let start = 0;
  let lastSeq = 0;
  let ended = false;
  let latest: { after: number; piece: Piece } | undefined;

  const wake = (): void => {
    for (const resume of waiting) resume();
    waiting.clear();
  };

  return {
    push(event) {
      const text = messageOf(event);
      frames.push({ seq: event.seq, fromSeq: event.fromSeq ?? event.seq, text });
      lastSeq = event.seq;
      bytes += text.length;
      while (bytes > KEPT_BYTES && start < frames.length - 1) {
        bytes -= frames[start]?.text.length ?? 0;
        start += 1;
      }
      // Moving the rest is worth it only now and then.
      if (start > 1024 && start * 2 > frames.length) {
        frames.splice(0, start);
        start = 0;
      }
      wake();
    },
    after(seq) {
      if (seq >= lastSeq) return undefined;
      // Viewers who keep up have all heard the same: it is put together once for them.
      if (latest?.after === seq && latest.piece.seq === lastSeq) return latest.piece;
      const first = frames[start];
      if (!first || first.fromSeq > seq + 1) return 'gone';
      // Without coalescing here, positions follow the numbers; the search corrects what does not.
      let at = Math.min(frames.length, Math.max(start, start + (seq + 1 - first.seq)));
      while (at > start && (frames[at - 1]?.seq ?? 0) > seq) at -= 1;
      while (at < frames.length && (frames[at]?.seq ?? 0) <= seq) at += 1;
      const texts = frames.slice(at).map(({ text }) => text);
      latest = { after: seq, piece: { seq: lastSeq, bytes: Buffer.from(texts.join('')) } };
      return latest.piece;
    },
    more(seq, signal) {
      if (ended || seq < lastSeq || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const resume = (): void => {
          waiting.delete(resume);
          signal.removeEventListener('abort', resume);
          resolve();
        };
        waiting.add(resume);
        signal.addEventListener('abort', resume);
      });
    },
    end() {
      ended = true;
      wake();
    },
    isEnded: () => ended,
  };
}
