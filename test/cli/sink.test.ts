import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createSink } from '../../src/cli/print/sink.js';

/** A stream whose reader takes a piece only when told to. */
function slowStream(options: { throws?: Error } = {}) {
  const taken: string[] = [];
  let take = () => {};
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      if (options.throws) throw options.throws;
      take = () => {
        taken.push(String(chunk));
        done();
      };
    },
  });
  return { stream, taken, take: () => take(), fail: (error: Error) => stream.destroy(error) };
}

const errno = (code: string) => Object.assign(new Error(code), { code });

test('a slow reader makes the writer wait', async () => {
  const { stream, taken, take } = slowStream();
  const sink = createSink(stream);
  let isDone = false;
  const waiting = sink.write('one')?.then(() => {
    isDone = true;
  });
  await Promise.resolve();
  expect(isDone).toBe(false);
  take();
  await waiting;
  expect(taken).toEqual(['one']);
});

test('a reader that goes away lets the writer go, and later writes are nothing', async () => {
  const { stream, fail } = slowStream();
  const sink = createSink(stream);
  const waiting = sink.write('one');
  fail(errno('EPIPE'));
  await waiting;
  expect(sink.closed.aborted).toBe(true);
  expect(sink.write('two')).toBeUndefined();
});

test.each([
  ['at once', () => createSink(slowStream({ throws: errno('ENOSPC') }).stream).write('one')],
  [
    'later',
    async () => {
      const { stream, fail } = slowStream();
      const sink = createSink(stream);
      const waiting = sink.write('one');
      fail(errno('ENOSPC'));
      await waiting;
      await sink.write('two');
    },
  ],
])('a full disk is told, %s', async (_name, write) => {
  await expect(async () => write()).rejects.toThrow('The output could not be written (ENOSPC).');
});
