/** What viewers of a run get, and when: together, complete, and put together once for all who keep up. */
import { describe, expect, test, vi } from 'vitest';
import { createLiveRun } from '../../src/server/live-run.js';
import { createPace } from '../../src/server/pace.js';
import { stamp } from '../store/events.js';

const events = (count: number, text = 'x') =>
  stamp(
    { runId: 'r' },
    Array.from({ length: count }, () => ({ type: 'text-delta', messageId: 'm', index: 0, text })),
  );

const idsIn = (piece: unknown) =>
  [
    ...Buffer.from((piece as { bytes: Uint8Array }).bytes)
      .toString()
      .matchAll(/^id: (\d+)$/gm),
  ].map(([, id]) => Number(id));

describe('a live run', () => {
  test('gives what came after a number, in one piece, and nothing when there is nothing', () => {
    const live = createLiveRun();
    for (const event of events(5)) live.push(event);
    expect(idsIn(live.after(0))).toEqual([1, 2, 3, 4, 5]);
    expect(idsIn(live.after(3))).toEqual([4, 5]);
    expect(live.after(5)).toBeUndefined();
  });

  test('the piece is the same one for all who have heard the same, and another one after the next event', () => {
    const live = createLiveRun();
    const [first, second, third] = events(3);
    for (const event of [first, second]) if (event) live.push(event);
    const piece = live.after(1);
    expect(live.after(1)).toBe(piece);
    expect(idsIn(live.after(0))).toEqual([1, 2]);
    if (third) live.push(third);
    expect(idsIn(live.after(1))).toEqual([2, 3]);
  });

  test('who fell too far behind is told to look in the store', () => {
    const live = createLiveRun();
    for (const event of events(50, 'y'.repeat(200_000))) live.push(event);
    expect(live.after(0)).toBe('gone');
    expect(idsIn(live.after(48))).toEqual([49, 50]);
  });
});

describe('the pace', () => {
  test('serves all who wait together, and rests as long as that took, within bounds', async () => {
    vi.useFakeTimers();
    let now = 0;
    const pace = createPace(() => now);
    const served: number[] = [];
    const wait = async (work: number) => {
      await pace();
      now += work;
      served.push(now);
    };
    void wait(0);
    void wait(60);
    await vi.advanceTimersByTimeAsync(15);
    expect(served).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(served).toEqual([0, 60]);
    await vi.advanceTimersByTimeAsync(1);
    void wait(5000);
    await vi.advanceTimersByTimeAsync(59);
    expect(served).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(served).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    void wait(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(served).toHaveLength(4);
    vi.useRealTimers();
  });
});
