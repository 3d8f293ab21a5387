import { setImmediate as tick } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type AgentEvent, GlassboxError } from '../../src/event/index.js';
import { START, stamp, wholeRun } from '../../src/store/conformance/events.js';
import { createRecorder, type RecorderOptions, type Store } from '../../src/store/index.js';

const start = { runId: 'r1', agent: 'fake', startedAt: START };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a recorder', () => {
  test('starts the run, writes in batches, ends the run', async () => {
    const { store, calls } = fakeStore();
    const recorder = create(store);
    const events = wholeRun({ runId: 'r1' });
    for (const event of events.slice(0, 5)) recorder.push(event);
    await pass(0);
    expect(calls).toEqual(['start', 'append 1-5']);
    for (const event of events.slice(5)) recorder.push(event);
    expect(calls).toHaveLength(2);
    await pass(100);
    expect(calls).toEqual(['start', 'append 1-5', 'append 6-13']);
    await recorder.close();
    expect(calls.slice(3)).toEqual(['end']);
  });

  test('writes what is left when it is closed, without waiting for the batch', async () => {
    const { store, kept } = fakeStore();
    const recorder = create(store);
    const events = wholeRun({ runId: 'r1' });
    for (const event of events) recorder.push(event);
    await recorder.close();
    expect(kept).toEqual(events);
  });

  test('does not make the run wait for a store that is still opening', async () => {
    const { store, kept } = fakeStore();
    let open = (_: Store) => {};
    const recorder = create(new Promise((resolve) => (open = resolve)));
    for (const event of wholeRun({ runId: 'r1' })) recorder.push(event);
    await pass(1000);
    open(store);
    await recorder.close();
    expect(kept).toHaveLength(13);
  });

  test('a store that fails is reported once and tried again; nothing is lost', async () => {
    const { store, kept, fail } = fakeStore();
    const onFailure = vi.fn();
    const recorder = create(store, { onFailure });
    const events = wholeRun({ runId: 'r1' });
    fail('store');
    for (const event of events.slice(0, 5)) recorder.push(event);
    await pass(10_000);
    for (const event of events.slice(5)) recorder.push(event);
    await pass(10_000);
    expect(onFailure).toHaveBeenCalledOnce();
    expect(onFailure.mock.calls[0]?.[0]).toMatchObject({ code: 'store', message: 'The disk is full.' });
    fail(undefined);
    await pass(30_000);
    expect(kept).toEqual(events);
    await recorder.close();
  });

  test('what a failing store makes too much is declared as a gap', async () => {
    const { store, kept, fail } = fakeStore();
    const recorder = create(store, { maxWaiting: 10_000 });
    fail('store');
    const events = stamp(
      { runId: 'r1' },
      Array.from({ length: 50 }, () => ({ type: 'status', code: 'x'.repeat(1000) })),
    );
    for (const event of events) recorder.push(event);
    await pass(10_000);
    fail(undefined);
    await recorder.close();
    const [gap, ...rest] = kept;
    expect(gap).toMatchObject({ type: 'gap', from: 1, fromSeq: 1, source: 'synthetic', runId: 'r1' });
    expect(rest.length).toBeGreaterThan(2);
    expect(rest.map(({ seq }) => seq)).toEqual(rest.map((_, index) => (gap?.seq ?? 0) + 1 + index));
    expect(rest.at(-1)?.seq).toBe(50);
  });

  test('a source that can wait is told when all is written, without waiting for the batch', async () => {
    const { store, kept, calls } = fakeStore();
    const recorder = create(store);
    const events = wholeRun({ runId: 'r1' });
    for (const event of events.slice(0, 5)) recorder.push(event);
    await recorder.flush();
    expect(kept).toEqual(events.slice(0, 5));
    for (const event of events.slice(5)) recorder.push(event);
    await recorder.flush();
    expect(calls).toEqual(['start', 'append 1-5', 'append 6-13']);
    await recorder.close();
  });

  test('it is not held up by a store that fails, and what waits for that store stays bounded', async () => {
    const { store, kept, fail } = fakeStore();
    const recorder = create(store, { maxWaiting: 10_000 });
    fail('store');
    const events = stamp(
      { runId: 'r1' },
      Array.from({ length: 50 }, () => ({ type: 'status', code: 'x'.repeat(1000) })),
    );
    for (const event of events) {
      recorder.push(event);
      await recorder.flush();
    }
    fail(undefined);
    await recorder.close();
    expect(kept.length).toBeLessThan(12);
    expect(kept[0]).toMatchObject({ type: 'gap', from: 1 });
    expect(kept.at(-1)?.seq).toBe(50);
  });

  test('a run that somebody else has is given up for good, also when that one has ended before this one is closed', async () => {
    const { store, calls, fail } = fakeStore();
    const onLost = vi.fn();
    const recorder = create(store, { onLost });
    const events = wholeRun({ runId: 'r1' });
    fail('conflict');
    const begun = recorder.known.catch(() => 'taken');
    recorder.push(events[0] as AgentEvent);
    await pass(0);
    expect(await begun).toBe('taken');
    fail(undefined);
    for (const event of events) recorder.push(event);
    await pass(1000);
    await recorder.flush();
    await recorder.close();
    expect(calls).toEqual([]);
    expect(onLost).toHaveBeenCalledOnce();
  });

  test('a store that cannot be opened is reported; closing still resolves', async () => {
    const onFailure = vi.fn();
    const opening = Promise.reject(new GlassboxError('store', 'No place.'));
    const recorder = create(opening, { onFailure });
    recorder.push(wholeRun({ runId: 'r1' })[0] as AgentEvent);
    await recorder.close();
    expect(onFailure).toHaveBeenCalledOnce();
  });
});

function create(store: RecorderOptions['store'], options: Partial<RecorderOptions> = {}) {
  return createRecorder({ store, start, onFailure: () => {}, ...options });
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await tick();
}

/** Only what a recorder uses. */
function fakeStore() {
  const calls: string[] = [];
  const kept: AgentEvent[] = [];
  let failing: 'store' | 'conflict' | undefined;
  const act = async (name: string, work = () => {}) => {
    if (failing) throw new GlassboxError(failing, 'The disk is full.');
    calls.push(name);
    work();
  };
  const store = {
    startRun: () => act('start'),
    append: (events: AgentEvent[]) => {
      const [first, last] = [events[0], events.at(-1)];
      return act(`append ${first?.seq}-${last?.seq}`, () => kept.push(...events));
    },
    endRun: () => act('end'),
  } as unknown as Store;
  return { store, calls, kept, fail: (code: typeof failing) => (failing = code) };
}
