/** A session that went back and forth between programs is read in the order in which it happened. */
import { expect, onTestFinished, test } from 'vitest';
import type { AgentEvent } from '../../src/event/index.js';
import { START, stamp } from '../../src/store/conformance/events.js';
import { openStore, readSession } from '../../src/store/index.js';
import { type Body, stamped } from '../session/play.js';

/** One turn after the other, each from and to a second. */
function run(runId: string, ...turns: readonly (readonly [from: number, to: number])[]): AgentEvent[] {
  const bodies = turns.flatMap(([from, to], index): Body[] => [
    { type: 'turn-start', runId, turn: index + 1, at: from } as Body,
    { type: 'turn-end', runId, turn: index + 1, at: to, outcome: 'success' } as Body,
  ]);
  return stamped(bodies).map((event, index) => ({ ...event, seq: index + 1, at: bodies[index]?.at ?? 0 }));
}

async function orderOf(...runs: readonly AgentEvent[][]): Promise<string[]> {
  const store = {
    async *read(runId: string) {
      yield* runs.find(([event]) => event?.runId === runId) ?? [];
    },
  };
  const records = runs.map(([event]) => ({ runId: event?.runId ?? 'none', startedAt: event?.at ?? 0 }));
  const order: string[] = [];
  for await (const { type, runId, turn } of readSession(store, records))
    if (type === 'turn-end') order.push(`${runId}${turn}`);
  return order;
}

test.each([
  ['one after the other', [run('a', [1, 2], [3, 4]), run('b', [5, 6])], ['a1', 'a2', 'b1']],
  ['there and back twice', [run('a', [1, 2]), run('x', [3, 4], [7, 8]), run('b', [5, 6])], ['a1', 'x1', 'b1', 'x2']],
  // What a program adds to a turn that another one began belongs behind it.
  ['a turn that ends later', [run('a', [1, 3]), run('x', [2, 4], [5, 6])], ['a1', 'x1', 'x2']],
  ['nothing in one of them', [run('a', [1, 2]), [], run('b', [3, 4])], ['a1', 'b1']],
])('%s', async (_, runs, order) => {
  expect(await orderOf(...runs)).toEqual(order);
});

test('it is of the folder in which it was begun, also when what was read last tells none', async () => {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  await store.startRun({ runId: 'own', agent: 'fake', startedAt: START, cwd: '/repo' });
  await store.append(stamp({ runId: 'own', sessionId: 'a1' }, [{ type: 'turn-start' }]));
  await store.append(stamp({ runId: 'read', sessionId: 'a1', at: START + 5000 }, [{ type: 'turn-start' }]));
  const { items } = await store.list({ project: '/repo' });
  expect(items.map(({ runs }) => runs.map(({ runId }) => runId))).toEqual([['own', 'read']]);
});
