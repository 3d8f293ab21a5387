/**
 * Reads a pipe once per frame while text floods through it: agents write each delta by itself, and a read for each of them costs half of all that is
 * done with it. What comes after silence is read at once, a full buffer is followed at once, and where Node lets nobody stop its reading nothing is
 * different. Stopping and going on later is a matter of the pipe's handle: `pause()` of the stream would let it read on into memory.
 */
import type { Readable } from 'node:stream';

/** What an eye does not see. */
const FRAME_MS = 16;
/** So many reads within a frame are a flood; an answer to a question, or two lines that belong together, are none. */
const FLOOD = 3;
/** As much as Node reads at once. */
const FULL_BYTES = 65_536;

export interface PacedReading {
  /** To be called with every piece that was read. */
  noteRead(bytes: number): void;
  /** Reads on now: an answer is expected. */
  hurry(): void;
  /** The stream flows again after it was paused, during which nothing is started here. */
  resume(): void;
  /** From now on everything is read when it comes. */
  end(): void;
}

interface Handle {
  readStart(): unknown;
  readStop(): unknown;
}

export function paceReading(stream: Readable | null): PacedReading {
  let frameBegan = 0;
  let reads = 0;
  /** Set while nothing is read because of the pace, also when the stream is paused beyond that. */
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  return {
    noteRead(bytes) {
      const now = performance.now();
      if (now - frameBegan > FRAME_MS) {
        // In a flood a frame follows the other.
        reads = now - frameBegan < 2 * FRAME_MS ? reads : 0;
        frameBegan = now;
      }
      reads += 1;
      if (reads < FLOOD || bytes >= FULL_BYTES || isStopped || isOver) return;
      const handle = handleOf(stream);
      if (!handle) return;
      handle.readStop();
      isStopped = true;
      timer = setTimeout(goOn, FRAME_MS);
    },
    hurry() {
      reads = 0;
      goOn();
    },
    resume() {
      if (!timer) goOn();
    },
    end() {
      isOver = true;
      goOn();
    },
  };

  function goOn(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!isStopped || stream?.isPaused()) return;
    isStopped = false;
    frameBegan = performance.now();
    handleOf(stream)?.readStart();
  }
}

/** It is no part of Node's interface, so that it is used only where it is what is expected. */
function handleOf(stream: Readable | null): Handle | undefined {
  const { _handle: handle } = (stream ?? {}) as { _handle?: Partial<Handle> | null };
  return typeof handle?.readStart === 'function' && typeof handle.readStop === 'function'
    ? (handle as Handle)
    : undefined;
}
