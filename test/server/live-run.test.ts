/** What viewers of a run get, and when: together, complete, and put together once for all who keep up. */
import { describe, expect, test, vi } from 'vitest';
import { createLiveRun } from '../../src/server/live-run.js';
import { createThrottle } from '../../src/server/throttle.js';
import { stamp } from '../../src/store/conformance/events.js';

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

describe('waiting for more', () => {
  const isOver = async (waiting: Promise<void>) => {
    let over = false;
    void waiting.then(() => (over = true));
    await new Promise((resolve) => setImmediate(resolve));
    return over;
  };

  test('ends with the next event, for all who wait', async () => {
    const live = createLiveRun();
    const [first, second] = events(2);
    if (first) live.push(first);
    const { signal } = new AbortController();
    const both = [live.more(1, signal), live.more(1, signal)];
    expect(await Promise.all(both.map(isOver))).toEqual([false, false]);
    if (second) live.push(second);
    expect(await Promise.all(both.map(isOver))).toEqual([true, true]);
  });

  test('is not needed by who is behind, after the end, or for who has left', async () => {
    const live = createLiveRun();
    for (const event of events(2)) live.push(event);
    const leaving = new AbortController();
    expect(await isOver(live.more(1, leaving.signal))).toBe(true);
    const waiting = live.more(2, leaving.signal);
    expect(await isOver(waiting)).toBe(false);
    leaving.abort();
    expect(await isOver(waiting)).toBe(true);
    expect(await isOver(live.more(2, leaving.signal))).toBe(true);
    expect(live.isEnded()).toBe(false);
    live.end();
    expect(live.isEnded()).toBe(true);
    expect(await isOver(live.more(2, new AbortController().signal))).toBe(true);
  });
});

test('events that stand for several are found by any of their numbers', () => {
  const live = createLiveRun();
  const [one, two, three] = events(3);
  if (!one || !two || !three) throw new Error('three are needed');
  for (const event of [
    { ...one, seq: 3, fromSeq: 1 },
    { ...two, seq: 4 },
    { ...three, seq: 9, fromSeq: 5 },
  ])
    live.push(event);
  expect(idsIn(live.after(0))).toEqual([3, 4, 9]);
  expect(idsIn(live.after(2))).toEqual([3, 4, 9]);
  expect(idsIn(live.after(3))).toEqual([4, 9]);
  expect(idsIn(live.after(4))).toEqual([9]);
  expect(idsIn(live.after(8))).toEqual([9]);
});

test('after thousands of events, the oldest of which are gone, numbers still lead to theirs', () => {
  const live = createLiveRun();
  for (const event of events(3_000, 'z'.repeat(3_000))) live.push(event);
  expect(live.after(100)).toBe('gone');
  expect(idsIn(live.after(2_997))).toEqual([2_998, 2_999, 3_000]);
  expect(idsIn(live.after(2_000))).toHaveLength(1_000);
});

describe('the throttle', () => {
  test('serves all who wait together, and rests as long as that took, within bounds', async () => {
    vi.useFakeTimers();
    let now = 0;
    const throttle = createThrottle(() => now);
    const served: number[] = [];
    const wait = async (work: number) => {
      await throttle();
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
