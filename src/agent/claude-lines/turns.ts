/**
 * Numbers the turns. Each `init` opens one; a result ends the one that its index names, else the oldest open one,
 * because a result may be held back until the next turn has begun (pitfalls 9, 10).
 */
import type { Scribe } from '../scribe.js';

export interface Turns {
  begin(): void;
  /** Opens a turn for content that came without an `init`. */
  ensure(): void;
  /** Which turn a result ends; opens one for a result that stands alone. */
  end(resultIndex: number | undefined): number;
  isOpen(): boolean;
  /** The turn that the next message will belong to. */
  next(): number;
  open(): readonly number[];
}

export function createTurns(scribe: Scribe): Turns {
  const open: number[] = [];
  let started = 0;

  const begin = (): void => {
    started += 1;
    open.push(started);
    scribe.turn = started;
    scribe.write({ type: 'turn-start' });
  };

  return {
    begin,
    ensure() {
      if (open.length === 0) begin();
    },
    end(resultIndex) {
      if (open.length === 0) begin();
      const named = resultIndex === undefined ? -1 : open.indexOf(resultIndex + 1);
      return open.splice(Math.max(0, named), 1)[0] ?? started;
    },
    isOpen: () => open.length > 0,
    next: () => (open.length > 0 ? scribe.turn : started + 1),
    open: () => open,
  };
}
