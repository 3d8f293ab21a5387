import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent, EventType } from '../../src/event/index.js';
import { createClosing } from '../../src/run/closing.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Steps: an event, `idle`/`busy`, `said`, `release`, or a time in ms. Gives back after which step the input was closed. */
function closedAfter(
  steps: readonly (EventType | 'idle' | 'busy' | 'said' | 'release' | number)[],
  keepOpen = false,
  hasPrompt = true,
) {
  let idle = true;
  let closedAt: number | undefined;
  let now = 0;
  const closing = createClosing({ keepOpen, hasPrompt, isIdle: () => idle, close: () => (closedAt ??= now) });
  for (const [index, step] of steps.entries()) {
    now = index;
    if (typeof step === 'number') vi.advanceTimersByTime(step);
    else if (step === 'idle' || step === 'busy') idle = step === 'idle';
    else if (step === 'said') closing.said();
    else if (step === 'release') closing.release();
    else closing.see({ type: step } as AgentEvent);
  }
  closing.stop();
  return closedAt;
}

describe('LL-05 the input is closed', () => {
  it.each([
    ['right after the only turn', ['turn-start', 'turn-end'], 1],
    ['not before there was one, however idle', ['idle', 60_000], undefined],
    ['not while background work goes on', ['turn-start', 'busy', 'turn-end', 60_000], undefined],
    [
      'after the turn that tells of it',
      ['turn-start', 'busy', 'turn-end', 'task-end', 'idle', 'turn-start', 'turn-end'],
      6,
    ],
    [
      'a while after background work of which no turn tells',
      ['turn-start', 'busy', 'turn-end', 'idle', 'task-end', 2999, 2],
      6,
    ],
    ['not if one does', ['turn-start', 'busy', 'turn-end', 'idle', 'task-end', 2999, 'turn-start', 60_000], undefined],
    ['a while after a turn during which more was said', ['turn-start', 'said', 'turn-end', 999, 2], 4],
    ['not if that starts the next turn', ['turn-start', 'said', 'turn-end', 'turn-start', 60_000], undefined],
    ['not while an approval is open', ['turn-start', 'busy', 'turn-end', 60_000], undefined],
    ['a while after the last approval', ['turn-start', 'busy', 'turn-end', 'idle', 'approval-resolve', 3001], 5],
  ] as const)('%s', (_, steps, closed) => {
    expect(closedAfter(steps)).toBe(closed);
  });

  it.each([
    ['never by itself', ['turn-start', 'turn-end', 60_000], undefined],
    ['when it is released', ['turn-start', 'turn-end', 'release'], 2],
    ['after the turn in which it was released', ['turn-start', 'busy', 'release', 'idle', 'turn-end'], 4],
  ] as const)('when it is kept open: %s', (_, steps, closed) => {
    expect(closedAfter(steps, true)).toBe(closed);
  });

  it('at once when nothing was ever said', () => {
    expect(closedAfter(['release'], true, false)).toBe(0);
    expect(closedAfter(['said', 'release'], true, false)).toBeUndefined();
  });
});
