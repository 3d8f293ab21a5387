/** What is sent to viewers as it happens: in which pieces, what goes with it, and when a line is given up. */
import { EventEmitter } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { SessionsMessage, WaitingApproval } from '../../src/client/index.js';
import { eventStream, message } from '../../src/server/event-stream.js';
import { createLiveRun } from '../../src/server/live-run.js';
import { feedRun } from '../../src/server/run-feed.js';
import { feedSessions } from '../../src/server/session-feed.js';
import { stamp } from '../../src/store/conformance/events.js';
import type { SessionRecord, Store } from '../../src/store/index.js';

const never = new AbortController().signal;

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = [];
  for await (const item of items) list.push(item);
  return list;
}

describe('the list of sessions', () => {
  const session = (id: string, waiting: number) => ({ id, waiting }) as SessionRecord;
  const approvals = [{ session: 'a' }, { session: 'b' }];

  async function fed(changes: SessionRecord[][], cursor?: string) {
    const asked: unknown[] = [];
    const store = {
      watch: () => each(changes),
      list: async (query: object) => {
        asked.push(query);
        return { items: [session('a', 1)], ...(cursor !== undefined && { cursor }) };
      },
    } as unknown as Store;
    const waiting = {
      async list(sessions?: ReadonlySet<string>) {
        asked.push('approvals');
        return approvals.filter(({ session: id }) => sessions?.has(id) ?? true) as WaitingApproval[];
      },
    };
    return { messages: await all(feedSessions({ store, waiting }, never)), asked };
  }

  test('begins with the latest hundred and every open question', async () => {
    const snapshot = { type: 'snapshot', sessions: [session('a', 1)], approvals };
    expect(await fed([])).toEqual({ messages: [snapshot], asked: [{ archived: false, limit: 100 }, 'approvals'] });
    expect((await fed([], 'more')).messages).toEqual([{ ...snapshot, cursor: 'more' }]);
  });

  test('goes on with what changed, and with its questions alone', async () => {
    const { messages, asked } = await fed([[session('b', 1), session('c', 0)], [session('a', 0)]]);
    expect(messages.slice(1)).toEqual([
      { type: 'update', sessions: [session('b', 1), session('c', 0)], approvals: [{ session: 'b' }] },
      { type: 'update', sessions: [session('a', 0)], approvals: [] },
    ]);
    // Nobody waits in the last one, so nothing was asked for.
    expect(asked).toEqual([{ archived: false, limit: 100 }, 'approvals', 'approvals']);
  });
});

test('what sessions do comes after the sessions, as it changes, and ends with them', async () => {
  const doing = (state: 'idle' | 'working') => [{ session: 'a', presence: { state, because: [], against: [] } }];
  let endChanges = (): void => {};
  const store = {
    watch: async function* () {
      yield [];
      await new Promise<void>((resolve) => {
        endChanges = resolve;
      });
    },
    list: async () => ({ items: [] }),
  } as unknown as Store;
  const waiting = { list: async () => [] };
  const presences = {
    async *watch() {
      yield doing('working');
      yield doing('idle');
      // The one who reads has gone: nothing more comes, and nobody waits for it.
      await new Promise(() => {});
    },
  };
  const messages: SessionsMessage[] = [];
  for await (const message of feedSessions({ store, waiting, presences }, never)) {
    messages.push(message);
    if (messages.length === 4) endChanges();
  }
  expect(messages[0]?.type).toBe('snapshot');
  expect(messages.filter(({ type }) => type === 'presence')).toEqual([
    { type: 'presence', presences: doing('working') },
    { type: 'presence', presences: doing('idle') },
  ]);
});

test('kept events go out in pieces of 256, and those to come one by one', async () => {
  const events = stamp(
    { runId: 'r' },
    Array.from({ length: 515 }, () => ({ type: 'text-delta', messageId: 'm', index: 0, text: 'x' })),
  );
  const store = {
    read: (_: string, from: number) => each(events.slice(from - 1, 513)),
    tail: (_: string, { fromSeq = 1 }) => each(events.slice(fromSeq - 1)),
  } as unknown as Store;
  const feed = feedRun('r', 1, { store, live: undefined, throttle: async () => {}, signal: never });
  const ids = (await all(feed)).map((piece) => [...String(Buffer.from(piece)).matchAll(/^id: (\d+)$/gm)]);
  expect(ids.map(({ length }) => length)).toEqual([256, 256, 1, 1, 1]);
  // Who has everything that is kept hears only what comes.
  const rest = feedRun('r', 514, { store, live: undefined, throttle: async () => {}, signal: never });
  expect((await all(rest)).map((piece) => /^id: (\d+)$/m.exec(String(Buffer.from(piece)))?.[1])).toEqual([
    '514',
    '515',
  ]);
});

test('who fell behind a live run reads on from the store without a hole, and waits for the others after each wait', async () => {
  const events = stamp(
    { runId: 'r' },
    Array.from({ length: 4 }, () => ({ type: 'text-delta', messageId: 'm', index: 0, text: 'x' })),
  );
  const store = { read: (_: string, from: number) => each(events.slice(from - 1, 2)) } as unknown as Store;
  const live = createLiveRun();
  const fallsBehind = { ...live, after: (seq: number) => (seq < 2 ? 'gone' : live.after(seq)) } as const;
  for (const event of events.slice(0, 3)) live.push(event);
  const order: string[] = [];
  const throttle = async () => void order.push('throttle');
  const waits = {
    ...fallsBehind,
    async more() {
      order.push('more');
      const [, , , last] = events;
      if (last) live.push(last);
      live.end();
    },
  };
  const feed = await all(feedRun('r', 1, { store, live: waits, throttle, signal: never }));
  const ids = feed.flatMap((piece) => [...String(Buffer.from(piece)).matchAll(/^id: (\d+)$/gm)].map(([, id]) => id));
  expect(ids).toEqual(['1', '2', '3', '4']);
  expect(order).toEqual(['more', 'throttle']);
});

describe('a stream', () => {
  afterEach(() => void vi.useRealTimers());

  class Line extends EventEmitter {
    readonly written: string[] = [];
    head: unknown[] = [];
    useChunkedEncodingByDefault = true;
    state: 'open' | 'ended' | 'destroyed' = 'open';

    writeHead(...head: unknown[]): void {
      this.head = head;
    }

    flushHeaders(): void {}

    write(text: string): boolean {
      return this.written.push(text) > 0;
    }

    end(): void {
      this.state = 'ended';
    }

    destroy(): void {
      this.state = 'destroyed';
    }
  }

  function opened(pieces: (signal: AbortSignal) => AsyncIterable<string>, isKnown = () => true) {
    const line = new Line();
    const leaving = new AbortController();
    const context = {
      env: { outgoing: line },
      res: { headers: new Headers({ 'x-frame-options': 'DENY' }) },
      get: (name: string) => (name === 'leaving' ? leaving.signal : { isKnown }),
    };
    return { line, leaving, response: eventStream(context as unknown as Parameters<typeof eventStream>[0], pieces) };
  }

  const silent = async function* (signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };

  test('is written to the connection itself, with what every answer carries', async () => {
    const { line, response } = opened(() => each(['one', 'two']));
    await expect.poll(() => line.state).toBe('ended');
    expect(line.written).toEqual(['one', 'two']);
    expect(line.head).toEqual([
      200,
      {
        'x-frame-options': 'DENY',
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      },
    ]);
    expect(line.useChunkedEncodingByDefault).toBe(false);
    expect(response.headers.get('x-hono-already-sent')).toBe('true');
  });

  test('says something every 15 seconds, and ends with the connection', async () => {
    vi.useFakeTimers();
    const { line } = opened(silent);
    await vi.advanceTimersByTimeAsync(14_999);
    expect(line.written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(line.written).toEqual([':\n\n']);
    line.emit('close');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(line).toMatchObject({ written: [':\n\n'], state: 'ended' });
  });

  test('is cut for who was sent away', async () => {
    vi.useFakeTimers();
    let isKnown = true;
    const { line } = opened(silent, () => isKnown);
    await vi.advanceTimersByTimeAsync(15_000);
    expect(line.state).toBe('open');
    isKnown = false;
    await vi.advanceTimersByTimeAsync(15_000);
    expect(line.state).toBe('destroyed');
    line.emit('close');
  });

  test('says when to come again when the server leaves, and nothing to who has left before', () => {
    const [open, closed] = [opened(silent), opened(silent)];
    closed.line.emit('close');
    for (const { leaving } of [open, closed]) leaving.abort();
    expect(open.line).toMatchObject({ written: ['retry: 500\n\n'], state: 'ended' });
    expect(closed.line.written).toEqual([]);
  });

  test('waits for a slow reader', async () => {
    const { line } = opened(() => each(['one', 'two']));
    line.write = (text) => {
      line.written.push(text);
      return false;
    };
    await expect.poll(() => line.written).toEqual(['one']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(line.written).toEqual(['one']);
    line.emit('drain');
    await expect.poll(() => line.written).toEqual(['one', 'two']);
    line.emit('drain');
    await expect.poll(() => line.state).toBe('ended');
  });

  test('a message has the number of its event, where there is one', () => {
    expect(message('{}')).toBe('data: {}\n\n');
    expect(message('{}', 7)).toBe('id: 7\ndata: {}\n\n');
  });
});
