import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { createEventQueue } from '../../src/run/event-queue.js';

describe('the event queue', () => {
  it('U-2.3 gives every reader everything, in order', async () => {
    const queue = createEventQueue();
    const readers = [queue.read(), queue.read()];
    queue.push(events(1, 5));
    queue.end();
    for (const reader of readers) expect(await seqs(reader)).toEqual([1, 2, 3, 4, 5]);
  });

  it('R-07 is full when the slowest reader is 32 behind, and tells when there is room', async () => {
    let rooms = 0;
    const queue = createEventQueue({ onRoom: () => rooms++ });
    const [quick, slow] = [queue.read(), queue.read()];
    queue.push(events(1, 31));
    expect(queue.isFull()).toBe(false);
    queue.push(events(32, 32));
    expect(queue.isFull()).toBe(true);
    for (let count = 0; count < 32; count += 1) await quick.next();
    expect([queue.isFull(), rooms]).toEqual([true, 0]);
    await slow.next();
    expect([queue.isFull(), rooms]).toEqual([false, 1]);
  });

  it('is never full while nobody reads', () => {
    const queue = createEventQueue();
    queue.push(events(1, 1000));
    expect(queue.isFull()).toBe(false);
  });

  it('decision 2 keeps what came before the first reader', async () => {
    const queue = createEventQueue();
    queue.push(events(1, 100));
    queue.end();
    expect(await seqs(queue.read())).toHaveLength(100);
  });

  it('decision 2 keeps at most so many bytes, and a late reader gets one gap for the rest', async () => {
    const queue = createEventQueue({ keepBytes: 10_000 });
    queue.push(events(1, 100, 'x'.repeat(500)));
    queue.end();
    const [gap, ...rest] = await all(queue.read());
    expect(gap).toMatchObject({ type: 'gap', from: 1, fromSeq: 1, source: 'synthetic' });
    expect(rest.length).toBeGreaterThan(3);
    expect(rest.length).toBeLessThan(20);
    expect(gap?.seq).toBe((rest[0]?.seq ?? 0) - 1);
    expect(rest.at(-1)?.seq).toBe(100);
  });

  it('a second reader that comes late gets a gap for what the first has taken', async () => {
    const queue = createEventQueue();
    const first = queue.read();
    queue.push(events(1, 3));
    await first.next();
    await first.next();
    const second = queue.read();
    queue.end();
    expect((await all(second)).map(({ type, seq }) => `${type} ${seq}`)).toEqual(['gap 2', 'status 3']);
  });

  it('R-08 letting go releases everything, makes room, and tells when it was the last', async () => {
    const told: string[] = [];
    const queue = createEventQueue({ onRoom: () => told.push('room'), onDrop: () => told.push('drop') });
    const [one, two] = [queue.read(), queue.read()];
    queue.push(events(1, 40));
    await one.return?.();
    expect(told).toEqual([]);
    await two.return?.();
    expect(told).toEqual(['room', 'drop']);
    expect(queue.isFull()).toBe(false);
    expect((await one.next()).done).toBe(true);
  });

  it('a reader that waits is served when something comes, and ended at the end', async () => {
    const queue = createEventQueue();
    const reader = queue.read();
    const [first, second] = [reader.next(), reader.next()];
    queue.push(events(1, 1));
    queue.end();
    expect((await first).value.seq).toBe(1);
    expect((await second).done).toBe(true);
  });

  it('S2-10 finality needs the end taken by every reader', async () => {
    const queue = createEventQueue();
    const reader = queue.read();
    const isFinal = watch(queue.finality);
    queue.push(events(1, 1));
    queue.end();
    expect(await isFinal()).toBe(false);
    await reader.next();
    expect(await isFinal()).toBe(false);
    expect((await reader.next()).done).toBe(true);
    expect(await isFinal()).toBe(true);
  });

  it('S2-10 finality is also reached when the reader lets go, or nobody reads', async () => {
    for (const withReader of [true, false]) {
      const queue = createEventQueue();
      const reader = withReader ? queue.read() : undefined;
      queue.push(events(1, 1));
      queue.end();
      await reader?.return?.();
      expect(await watch(queue.finality)()).toBe(true);
    }
  });

  it('abandoning ends every reader, whatever is unread', async () => {
    const queue = createEventQueue();
    const reader = queue.read();
    queue.push(events(1, 3));
    queue.abandon();
    expect((await reader.next()).done).toBe(true);
  });

  it('stays linear and small over many events', async () => {
    const queue = createEventQueue();
    const reader = queue.read();
    let sum = 0;
    for (let seq = 1; seq <= 20_000; seq += 1) {
      queue.push(events(seq, seq));
      sum += (await reader.next()).value.seq;
    }
    expect(sum).toBe((20_000 * 20_001) / 2);
  });
});

function events(from: number, to: number, text = ''): AgentEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => event(from + index, text));
}

function event(seq: number, text: string): AgentEvent {
  return { type: 'status', code: 'x', text, seq, at: 0, runId: 'r', agent: 'a', source: 'stream', turn: 0 };
}

async function all(reader: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const found: AgentEvent[] = [];
  for await (const one of reader) found.push(one);
  return found;
}

async function seqs(reader: AsyncIterable<AgentEvent>): Promise<number[]> {
  return (await all(reader)).map(({ seq }) => seq);
}

/** Whether a promise has settled, asked after everything that is due has run. */
function watch(promise: Promise<unknown>): () => Promise<boolean> {
  let settled = false;
  void promise.then(() => {
    settled = true;
  });
  return () => new Promise((resolve) => setImmediate(() => resolve(settled)));
}
