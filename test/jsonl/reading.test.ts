import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWireDecoder, type WireOptions } from '../../src/claude.js';
import { type ByteSource, createItemReader, type ItemReader, openSource } from '../../src/jsonl/index.js';
import { toBytes } from '../support/chunking.js';

const text = '{"type":"żółć 👩‍👩‍👧"}\n{oops\n\n{"type":"b"}\n{"type":"last"}';
const types = ['żółć 👩‍👩‍👧', 'b', 'last'];
const pieces = Array.from(toBytes(text), (byte) => Uint8Array.of(byte));

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glassbox-'));
  file = join(folder, 'input.jsonl');
  await writeFile(file, text);
});
afterAll(() => rm(folder, { recursive: true }));

const sources: { name: string; open: () => ByteSource | Promise<ByteSource> }[] = [
  { name: 'bytes', open: () => toBytes(text) },
  { name: 'text', open: () => text },
  { name: 'an iterable of bytes', open: () => pieces },
  { name: 'an iterable of text, surrogate pairs split', open: () => text.split('') },
  { name: 'an async iterable', open: () => asyncPieces() },
  { name: 'a Node stream', open: () => Readable.from(pieces, { objectMode: false }) },
  {
    name: 'a Node stream with an encoding',
    open: () => Readable.from(pieces, { objectMode: false }).setEncoding('utf8'),
  },
  { name: 'a web stream', open: () => webStream() },
  { name: 'a blob', open: () => new Blob([text]) },
  { name: 'a file', open: () => openAsBlob(file) },
];

describe('S0-07, S0-12 every value of every kind of source', () => {
  test.each(sources)('$name', async ({ open }) => {
    expect(await collect(read(await open()))).toEqual(types);
  });

  test('a large text is read in pieces that cut no character', async () => {
    const long = '👩‍👩‍👧é'.repeat(60_000);
    expect(await collect(read(line(long) + line('b')))).toEqual([long, 'b']);
  });

  test.each([[5], [{}], [null]])('what is neither bytes nor text is a read error: %j', async (piece) => {
    const reading = collect(read([piece] as unknown as ByteSource));
    await expect(reading).rejects.toMatchObject({ code: 'read-failed' });
  });

  test('what is no source is refused', () => {
    expect(() => openSource({} as ByteSource)).toThrow(expect.objectContaining({ code: 'invalid-request' }));
  });
});

describe('next', () => {
  test('S0-08, S0-09, S0-10 gives one line at a time, errors as values, and a distinct end for ever', async () => {
    const reader = createItemReader(text);
    expect(await reader.next()).toMatchObject({
      done: false,
      item: { kind: 'value', value: { type: types[0] }, line: 1 },
    });
    expect(await reader.next()).toMatchObject({ done: false, item: { kind: 'error', code: 'json_parse', line: 2 } });
    expect(await reader.next()).toMatchObject({ done: false, item: { kind: 'value', value: { type: 'b' }, line: 4 } });
    expect(await reader.next()).toMatchObject({
      done: false,
      item: { kind: 'value', value: { type: 'last' }, line: 5 },
    });
    expect(await reader.next()).toEqual({ done: true });
    expect(await reader.next()).toEqual({ done: true });
  });

  test('reads no further than it must', async () => {
    let reads = 0;
    const reader = createItemReader(
      (function* () {
        for (;;) yield `${++reads}\n`;
      })(),
    );
    await reader.next();
    expect(await reader.next()).toMatchObject({ item: { value: 2 } });
    expect(reads).toBe(2);
    await reader.close();
  });

  test('calls that overlap are answered in order', async () => {
    const reader = createItemReader(asyncPieces());
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => reader.next()));
    expect(answers.map((answer) => (answer.done ? 'end' : answer.item.line))).toEqual([1, 2, 4, 5, 'end', 'end']);
  });

  test('LL-01, S1-40 a read error ends the stream once and is not a malformed line', async () => {
    const reader = createItemReader(failing(['1\n', '2\n{"cut']));
    expect(await lines(reader)).toEqual([1, 2, 'json_parse cut', 'read-failed']);
    expect(await reader.next()).toMatchObject({ done: true, error: { code: 'read-failed' } });
  });

  test('LL-01 an over-long line is followed by good lines', async () => {
    const long = `"${'x'.repeat(2 ** 20)}"\n`;
    expect(await lines(createItemReader(`1\n${long}2\n`, { maxLineBytes: 2 ** 20 }))).toEqual([1, 'line_too_long', 2]);
  });

  test('after close there is only the end', async () => {
    const reader = createItemReader('1\n2\n');
    await reader.next();
    await reader.close();
    expect(await reader.next()).toEqual({ done: true });
  });
});

describe('reading everything', () => {
  test('S0-15 skips malformed lines and tells who asked', async () => {
    const skipped: unknown[] = [];
    expect(await collect(read(text, { onSkip: (error) => skipped.push(error) }))).toEqual(types);
    expect(skipped).toEqual([{ code: 'json_parse', line: 2, bytes: 5 }]);
  });

  test('S0-17 ends on a read error and reports it with its cause, after the values', async () => {
    const seen: unknown[] = [];
    const reading = (async () => {
      for await (const value of read(failing([line('a'), line('b').trim()]))) seen.push(value);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'read-failed', cause: { message: 'disk on fire' } });
    expect(seen).toEqual(['a', 'b']);
  });

  test('S0-14 leaving the loop closes the source', async () => {
    const source = watched([line('a'), line('b')]);
    for await (const _ of read(source)) break;
    expect(source.closed).toBe(1);
  });

  test('S0-14 the end and an error close the source', async () => {
    const ended = watched([line('a')]);
    await collect(read(ended));
    expect(ended.closed).toBe(1);
    const failed = watched([line('a'), 5 as unknown as string]);
    await collect(read(failed)).catch(() => {});
    expect(failed.closed).toBe(1);
  });

  const idle: { name: string; open: () => { source: ByteSource; isClosed: () => boolean } }[] = [
    {
      name: 'a Node stream',
      open: () => {
        const source = new PassThrough();
        source.write(line('a') + line('b'));
        return { source, isClosed: () => source.destroyed };
      },
    },
    {
      name: 'a web stream',
      open: () => {
        let cancelled = false;
        const source = new ReadableStream({
          start: (controller) => controller.enqueue(toBytes(line('a') + line('b'))),
          cancel: () => {
            cancelled = true;
          },
        });
        return { source, isClosed: () => cancelled };
      },
    },
  ];

  test.each(idle)('S0-13, S0-16 aborting ends a read that waits and closes: $name', async ({ open }) => {
    const { source, isClosed } = open();
    const controller = new AbortController();
    const seen: unknown[] = [];
    for await (const value of read(source, { signal: controller.signal })) {
      seen.push(value);
      // The third value never comes: the read that waits for it is under way when the abort arrives.
      if (value === 'b') setImmediate(() => controller.abort());
    }
    expect(seen).toEqual(['a', 'b']);
    expect(isClosed()).toBe(true);
  });

  test('S0-16 aborting waits for the read under way and drops what it brings', async () => {
    const controller = new AbortController();
    let deliver = (_: string) => {};
    let settled = false;
    async function* slow() {
      yield line('a');
      yield await new Promise<string>((resolve) => {
        deliver = resolve;
      });
      settled = true;
    }
    const seen: unknown[] = [];
    for await (const value of read(slow(), { signal: controller.signal })) {
      seen.push(value);
      setImmediate(() => {
        controller.abort();
        setImmediate(() => deliver(line('b')));
      });
    }
    expect(seen).toEqual(['a']);
    expect(settled).toBe(false);
  });

  test('S0-16 closing waits for a read that cannot be ended, and drops what it brings', async () => {
    const order: string[] = [];
    let deliver = () => {};
    const stubborn: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise((resolve) => {
            deliver = () => resolve({ done: false, value: '1\n' });
          }),
        return: async () => ({ done: true, value: undefined }),
      }),
    };
    const reader = openSource(stubborn);
    const read = reader.read();
    const closed = reader.close().then(() => order.push('closed'));
    await new Promise((resolve) => setImmediate(resolve));
    order.push('delivered');
    deliver();
    await closed;
    expect(order).toEqual(['delivered', 'closed']);
    expect(await read).toBeUndefined();
    expect(await reader.read()).toBeUndefined();
  });

  test('S0-13 values already read are not delivered after the abort', async () => {
    const controller = new AbortController();
    const seen: unknown[] = [];
    for await (const value of read(line('a') + line('b') + line('c'), { signal: controller.signal })) {
      seen.push(value);
      controller.abort();
    }
    expect(seen).toEqual(['a']);
  });

  test('S0-13 an abort before the start reads nothing', async () => {
    const source = watched([line('a')]);
    expect(await collect(read(source, { signal: AbortSignal.abort() }))).toEqual([]);
    expect(source.reads).toBe(0);
  });
});

/** The types of all events, by S0's `decode`. */
async function* read(source: ByteSource, options?: WireOptions): AsyncGenerator<string> {
  for await (const event of createWireDecoder(source, options).decode()) yield event.type;
}

function line(type: string): string {
  return `${JSON.stringify({ type })}\n`;
}

async function collect(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const value of values) all.push(value);
  return all;
}

/** Values, error codes and, when the source failed, the code of that. */
async function lines(reader: ItemReader): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let next = await reader.next(); ; next = await reader.next()) {
    if (next.done) return next.error ? [...all, next.error.code] : all;
    const { item } = next;
    all.push(item.kind === 'value' ? item.value : item.code + (item.cut ? ' cut' : ''));
  }
}

async function* asyncPieces(): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

async function* failing(texts: string[]): AsyncGenerator<string> {
  yield* texts;
  throw new Error('disk on fire');
}

function webStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

/** An async iterable that counts how often it was read and let go. */
function watched(texts: string[]) {
  const rest = texts.values();
  return {
    reads: 0,
    closed: 0,
    [Symbol.asyncIterator]() {
      return {
        next: async () => {
          this.reads++;
          return rest.next();
        },
        return: async () => {
          this.closed++;
          return { done: true as const, value: undefined };
        },
      };
    },
  };
}
