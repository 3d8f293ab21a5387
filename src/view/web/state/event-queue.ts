/**
 * Events on their way into the state: however fast they come, the page works on them in slices that leave it time to draw.
 *
 * A reader of history wants the end of it soon and not every step, so while `isLoading` the state is shown rarely.
 */
import type { AgentEvent } from '../../../client/index.js';
import { reduce, type SessionState } from '../../../session/index.js';
import { pauseMs } from './pace.js';

export interface EventQueue {
  push(event: AgentEvent): void;
  /** Shows what was not shown yet, for a change that is no event. */
  show(): void;
  close(): void;
}

const SLICE_MS = 10;
/** The first look at a long history comes soon; after it only now and then, because each one is work thrown away. */
const FIRST_LOOK_MS = 300;
const NEXT_LOOK_MS = 1500;
/** A shorter pause is left to the screen. */
const FRAME_MS = 16;

export function createEventQueue(
  initial: SessionState,
  options: { show(state: SessionState): void; isLoading(state: SessionState): boolean },
): EventQueue {
  let state = initial;
  let waiting: AgentEvent[] = [];
  let next = 0;
  let isPlanned = false;
  let isClosed = false;
  let shownAt = performance.now();
  let lookMs = FIRST_LOOK_MS;

  function plan(): void {
    if (isPlanned || isClosed) return;
    isPlanned = true;
    // History needs no picture in between, so it does not wait for the screen.
    const pause = shownAt + pauseMs() - performance.now();
    if (options.isLoading(state)) setTimeout(work, 0);
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
    const isDrained = next >= waiting.length;
    if (isDrained) {
      waiting = [];
      next = 0;
    } else plan();
    if (options.isLoading(state)) {
      if (performance.now() - shownAt < lookMs) return;
      lookMs = NEXT_LOOK_MS;
    }
    shownAt = performance.now();
    options.show(state);
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
