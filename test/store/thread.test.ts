/** The thread of a closed store in memory serves the next one, and nothing of the first is heard by the second. */
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const START = { runId: 'r1', agent: 'fake', startedAt: 1 };

/** The threads that were told something since, each once. */
function threadsTold(): () => Worker[] {
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  onTestFinished(() => post.mockRestore());
  return () => [...new Set(post.mock.contexts as Worker[])];
}

test('a store that is opened after another was closed is in its thread, and empty', async () => {
  const told = threadsTold();
  for (let time = 0; time < 3; time += 1) {
    const store = await openStore(':memory:');
    expect((await store.list()).items).toEqual([]);
    await store.startRun(START);
    expect((await store.list()).items).toHaveLength(1);
    await store.close();
  }
  expect(told()).toHaveLength(1);
});

test('two at a time are in two, and each has its own', async () => {
  const told = threadsTold();
  const [one, two] = [await openStore(':memory:'), await openStore(':memory:')];
  await one.startRun(START);
  expect((await two.list()).items).toEqual([]);
  expect(told()).toHaveLength(2);
  await Promise.all([one.close(), two.close()]);
});

test('what is asked while a store is closed, or afterwards, is answered or refused; closing it twice is once', async () => {
  const store = await openStore(':memory:');
  const before = store.startRun(START);
  const closing = Promise.all([store.close(), store.close()]);
  await expect(before).resolves.toBeDefined();
  await expect(store.list()).rejects.toThrow('is closed');
  await closing;
  const next = await openStore(':memory:');
  onTestFinished(() => next.close());
  await expect(store.list()).rejects.toThrow('is closed');
  expect((await next.list()).items).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a store in a file lets go of it: nothing of it is open or left beside it',
  async () => {
    const folder = temporaryDirectory();
    const store = await openStore(join(folder, 'store.db'));
    await store.startRun(START);
    await store.close();
    const open = readdirSync('/proc/self/fd').map((name) => {
      try {
        return readlinkSync(join('/proc/self/fd', name));
      } catch {
        return '';
      }
    });
    expect(open.filter((target) => target.startsWith(folder))).toEqual([]);
    expect(readdirSync(folder)).toEqual(['store.db']);
  },
);

test('a thread that dies while nobody uses it is not missed', async () => {
  const told = threadsTold();
  await (await openStore(':memory:')).close();
  await told()[0]?.terminate();
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  expect((await store.list()).items).toEqual([]);
  expect(told()).toHaveLength(2);
});
