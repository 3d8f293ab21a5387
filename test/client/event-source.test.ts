/** Server-sent events, however the network cuts them. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readServerEvents, type ServerEvent } from '../../src/client/event-source.js';

async function read(bytes: Uint8Array, ...sizes: readonly number[]): Promise<ServerEvent[]> {
  let from = 0;
  let turn = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const size = sizes.length === 0 ? bytes.length : (sizes[turn % sizes.length] ?? 1);
      turn += 1;
      if (from >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(from, from + size));
      from += size;
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readServerEvents(body)) events.push(event);
  return events;
}

const encode = (text: string) => new TextEncoder().encode(text);

const STREAM = encode(
  ': heartbeat\n\nid: 1\ndata: {"a":"Zürich"}\n\nevent: end\r\nid: 2\r\ndata: one\r\ndata: two\r\n\r\n',
);
const EVENTS = [
  { id: '1', event: 'message', data: '{"a":"Zürich"}' },
  { id: '2', event: 'end', data: 'one\ntwo' },
];

test('comments say nothing, lines of data belong together, both line ends hold', async () => {
  expect(await read(STREAM)).toEqual(EVENTS);
});

test('the same events come out however the bytes are cut', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(sizes, async (cuts) => {
      expect(await read(STREAM, ...cuts)).toEqual(EVENTS);
    }),
  );
});

test('an event of megabytes in the pieces of a network is whole', async () => {
  const data = 'x'.repeat(4 * 1024 * 1024);
  expect(await read(encode(`id: 9\ndata: ${data}\n\n`), 1400)).toEqual([{ id: '9', event: 'message', data }]);
});

test('what has no end is not held for ever', async () => {
  const piece = encode('x'.repeat(1024 * 1024));
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece) });
  await expect(async () => {
    for await (const _ of readServerEvents(endless));
  }).rejects.toThrow(/buffer/i);
});
