/** A run that goes on with a session: its agent is started when the store knows of it, and not at all where another one goes on. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GlassboxError } from '../../src/event/index.js';
import { keepRun, openStore, type Store } from '../../src/store/index.js';
import { init, inSession, result } from '../fake-agent/lines.js';
import { play, temporaryDirectory } from '../fake-agent/play.js';

async function emptyStore(): Promise<Store> {
  const store = await openStore(path.join(temporaryDirectory(), 'store.db'));
  onTestFinished(() => store.close());
  return store;
}

/** Goes on with `s1`; `began` tells whether an agent was started. */
function goOn(store: Store, startRun: Store['startRun']) {
  const file = path.join(temporaryDirectory(), 'began');
  const order: string[] = [];
  const beforeStart = async () => void order.push('agent');
  const handle = play(inSession('s1', [{ touch: file }, init(), result('ok')]), { resume: 's1', beforeStart });
  const failures: string[] = [];
  const kept = keepRun(handle, {
    store: {
      ...store,
      startRun: async (start) => {
        const record = await startRun(start);
        order.push('store');
        return record;
      },
    },
    onStoreFailure: ({ message }) => failures.push(message),
  });
  return { kept, order, failures, began: () => existsSync(file) };
}

test('the store knows of the run first, however slow it is', async () => {
  const store = await emptyStore();
  let answer: () => void = () => {};
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { kept, order, began } = goOn(store, async (start) => {
    await asked;
    return store.startRun(start);
  });
  await new Promise(setImmediate);
  expect(began()).toBe(false);
  answer();
  expect(await kept.done).toMatchObject({ reason: 'finished' });
  expect([order, began()]).toEqual([['store', 'agent'], true]);
  expect(kept.start).toMatchObject({ alone: true, resumes: 's1' });
});

test('where another one goes on with the session no agent is started, and the run says who', async () => {
  const store = await emptyStore();
  const { kept, failures, began, order } = goOn(store, async () => {
    throw new GlassboxError('conflict', 'Another glassbox (process 7) goes on with k7qd just now.');
  });
  expect(await kept.done).toMatchObject({
    reason: 'spawn-failed',
    error: { message: 'Another glassbox (process 7) goes on with k7qd just now.' },
  });
  expect([began(), failures, order]).toEqual([false, [], []]);
});

test('a store that fails keeps no agent from its work', async () => {
  const store = await emptyStore();
  const { kept, failures, began } = goOn(store, async () => {
    throw new GlassboxError('store', 'The disk is full.');
  });
  expect(await kept.done).toMatchObject({ reason: 'finished' });
  expect([began(), failures]).toEqual([true, ['The disk is full.']]);
});

test('cancelled while the store does not answer, it ends without an agent', async () => {
  const store = await emptyStore();
  const { kept, began } = goOn(store, () => new Promise(() => {}));
  await new Promise(setImmediate);
  kept.handle.cancel();
  expect(await kept.handle.completion).toMatchObject({ reason: 'cancelled' });
  expect(began()).toBe(false);
});
