/**
 * The newest events of a run that goes on in this process, printed once for all viewers. Viewers pull: a slow one falls
 * behind without holding anything back, and finds in the store what is no longer here.
 */
import type { AgentEvent } from '../event/index.js';

export interface LiveRun {
  push(event: AgentEvent): void;
  /** Frames after `seq`, or `gone` when some of them are no longer here. Empty when there is nothing new. */
  after(seq: number): Frame[] | 'gone';
  /** Resolves when there is something after `seq`, the run has ended, or the signal fires. */
  more(seq: number, signal: AbortSignal): Promise<void>;
  end(): void;
  isEnded(): boolean;
}

export interface Frame {
  seq: number;
  fromSeq: number;
  /** The event as JSON. */
  json: string;
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

  const wake = (): void => {
    for (const resume of waiting) resume();
    waiting.clear();
  };

  return {
    push(event) {
      const json = JSON.stringify({ schema: 1, ...event });
      frames.push({ seq: event.seq, fromSeq: event.fromSeq ?? event.seq, json });
      lastSeq = event.seq;
      bytes += json.length;
      while (bytes > KEPT_BYTES && start < frames.length - 1) {
        bytes -= frames[start]?.json.length ?? 0;
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
      if (seq >= lastSeq) return [];
      const first = frames[start];
      if (!first || first.fromSeq > seq + 1) return 'gone';
      // Without coalescing here, positions follow the numbers; the search corrects what does not.
      let at = Math.min(frames.length, Math.max(start, start + (seq + 1 - first.seq)));
      while (at > start && (frames[at - 1]?.seq ?? 0) > seq) at -= 1;
      while (at < frames.length && (frames[at]?.seq ?? 0) <= seq) at += 1;
      return frames.slice(at);
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
