/** When the next picture is drawn: at once after a quiet moment, at most thirty times a second, less where drawing takes long, and once a second when nothing happens. */

export interface FrameClock extends Disposable {
  /** Something changed. */
  request(): void;
  /** Drawn now, whatever is planned. */
  flush(): void;
}

const FRAME_MS = 33;
const TICK_MS = 1000;
/** Of all time, drawing may take this share. */
const MOST_SHARE = 0.1;
const LONGEST_MS = 500;

/** `draw` says whether the picture would change by itself. */
export function createFrameClock(draw: () => boolean, now = () => performance.now()): FrameClock {
  let timer: NodeJS.Timeout | undefined;
  let isPlanned = false;
  let nextAt = 0;

  function flush(): void {
    clearTimeout(timer);
    isPlanned = false;
    const begunAt = now();
    const lives = draw();
    const endedAt = now();
    nextAt = endedAt + Math.min(LONGEST_MS, Math.max(FRAME_MS, (endedAt - begunAt) / MOST_SHARE));
    // Nobody waits for it: a run that is over ends the program.
    if (lives) timer = setTimeout(flush, TICK_MS).unref();
  }

  return {
    request() {
      if (isPlanned) return;
      isPlanned = true;
      clearTimeout(timer);
      timer = setTimeout(flush, Math.max(0, nextAt - now()));
    },
    flush,
    [Symbol.dispose]() {
      clearTimeout(timer);
      isPlanned = true;
    },
  };
}
