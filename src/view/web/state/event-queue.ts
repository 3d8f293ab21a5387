/**
 * Events on their way into the state: however fast they come, the page works on them in slices that leave it time to draw.
 *
 * Nothing is shown while history `isLoading`, but the rows are made along the way, so that no long piece of work waits at its end.
 */
import type { AgentEvent } from '../../../client/index.js';
import { initialState, reduce, type SessionState } from '../../../session/index.js';
import { nextTask, pauseMs } from './main-thread.js';
import { rowsOf } from './rows.js';

export interface EventQueue {
  push(event: AgentEvent): void;
  /** Shows what was not shown yet, for a change that is no event. */
  show(): void;
  close(): void;
}

const SLICE_MS = 10;
const ROWS_EVERY_MS = 100;
/** A shorter pause is left to the screen. */
const FRAME_MS = 16;

export function createEventQueue(options: {
  show(state: SessionState): void;
  isLoading(state: SessionState): boolean;
}): EventQueue {
  let state = initialState;
  let waiting: AgentEvent[] = [];
  let next = 0;
  let isPlanned = false;
  let isClosed = false;
  let shownAt = performance.now();

  function plan(): void {
    if (isPlanned || isClosed) return;
    isPlanned = true;
    // History needs no picture in between, so it does not wait for the screen.
    const pause = shownAt + pauseMs() - performance.now();
    if (options.isLoading(state)) nextTask(work);
    else if (pause > FRAME_MS) setTimeout(work, pause);
    else requestAnimationFrame(work);
  }

  function work(): void {
    isPlanned = false;
    if (isClosed) return;
    const startedAt = performance.now();
    while (next < waiting.length) {
      const event = waiting[next];
      next += 1;
      if (event) state = reduce(state, event);
      if (next % 32 === 0 && performance.now() - startedAt > SLICE_MS) break;
    }
    if (next < waiting.length) plan();
    else {
      waiting = [];
      next = 0;
    }
    if (!options.isLoading(state)) {
      shownAt = performance.now();
      options.show(state);
    } else if (performance.now() - shownAt > ROWS_EVERY_MS) {
      rowsOf(state);
      shownAt = performance.now();
    }
  }

  return {
    push(event) {
      waiting.push(event);
      plan();
    },
    show: () => options.show(state),
    close() {
      isClosed = true;
    },
  };
}
