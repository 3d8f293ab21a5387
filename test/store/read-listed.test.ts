/** Between a record and what it names time passes: whoever reads a run that is gone by now reads nothing, and any other failure is heard. */
import { expect, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { openStore, readListed } from '../../src/store/index.js';

const start = { runId: 'agent-transcript-1', agent: 'agent', startedAt: 1 };
const events = [1, 2].map(
  (seq) =>
    ({ schema: 1, type: 'turn-start', seq, at: seq, turn: seq, runId: start.runId, agent: 'agent' }) as AgentEvent,
);

test('a run that is listed, and gone when it is read, has nothing to read', async () => {
  await using store = disposable(await openStore(':memory:'));
  await store.keepRuns([{ start, events, sourceState: 'first' }]);
  const [session] = (await store.list()).items;
  expect(await readAll(session?.runs[0]?.runId ?? '')).toHaveLength(2);
  // Another run of its session tells all of it.
  await store.keepRuns([{ start, events: [], sourceState: 'second' }]);
  expect(await readAll(session?.runs[0]?.runId ?? '')).toEqual([]);

  async function readAll(runId: string): Promise<AgentEvent[]> {
    const read: AgentEvent[] = [];
    for await (const event of readListed(store, runId)) read.push(event);
    return read;
  }
});

test('a store that fails is heard', async () => {
  const store = await openStore(':memory:');
  await store.close();
  await expect(readListed(store, 'any').next()).rejects.toThrow(/closed/);
});

function disposable<Store extends { close(): Promise<void> }>(store: Store): Store & AsyncDisposable {
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}
