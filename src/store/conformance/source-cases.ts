/** The contract of runs that were read elsewhere and come whole, as from the files of agents. */
import assert from 'node:assert/strict';
import { all, type Check, found, has, keep, runIds } from './case.js';
import { START, wholeRun } from './events.js';

const start = { runId: 'r1', agent: 'fake', startedAt: START };

export const sourceCases: Check[] = [
  {
    name: 'several come at once, each in the place of what was there, and one without events goes',
    async run(open) {
      const store = await open();
      const events = (runId: string, text: string, usd: number) => wholeRun({ runId, sessionId: runId }, { text, usd });
      const other = { ...start, runId: 'r2' };
      const first = [
        { start, events: events('r1', 'zebra', 1), sourceState: 'one' },
        { start: other, events: events('r2', 'horse', 2), sourceState: 'two' },
      ];
      assert.deepEqual(await store.keepRuns(first), []);
      const { id } = (await store.session('r1')) ?? {};
      await store.keepRuns([
        { start, events: events('r1', 'donkey', 4), sourceState: 'three' },
        { start: other, events: [], sourceState: 'two' },
      ]);
      has(await store.session('r1'), { id, state: 'ended', spent: { usd: 4 }, runs: [{ sourceState: 'three' }] });
      assert.deepEqual(runIds((await store.list()).items), ['r1']);
      assert.deepEqual(await found(store, { text: 'zebra' }), []);
      assert.deepEqual(await found(store, { text: 'donkey' }), ['r1']);
      has(await store.totals({ by: 'agent' }), [{ spent: { usd: 4 }, sessions: 1 }]);
    },
  },
  {
    name: 'figures alone count as the whole does, and the whole takes their place',
    async run(open) {
      const store = await open();
      const run = { start, events: wholeRun({ runId: 'r1' }, { text: 'zebra', usd: 0.25 }), sourceState: 'one' };
      await store.keepRuns([{ ...run, onlyFigures: true }]);
      const quick = await store.totals({ by: 'day' });
      has(await store.session('r1'), { spent: { usd: 0.25 }, runs: [{ onlyFigures: true, lastSeq: 0 }] });
      assert.deepEqual(await all(store.read('r1')), []);
      assert.deepEqual(await found(store, { text: 'zebra' }), []);
      await store.keepRuns([run]);
      assert.deepEqual(await store.totals({ by: 'day' }), quick);
      assert.equal((await store.session('r1'))?.runs[0]?.onlyFigures, undefined);
      assert.deepEqual(await found(store, { text: 'zebra' }), ['r1']);
    },
  },
  {
    name: 'every run is told, with the conversation that it belongs to and what was read of it',
    async run(open) {
      const store = await open();
      const events = wholeRun({ runId: 'r1', sessionId: 'agent-1' });
      await store.keepRuns([{ start, events, sourceState: 'one', onlyFigures: true }]);
      await keep(store, { runId: 'r2', sessionId: 'agent-2' });
      const told = (await store.sources()).toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
      assert.deepEqual(told, [
        { runId: 'r1', agent: 'fake', agentSessionId: 'agent-1', sourceState: 'one', onlyFigures: true },
        { runId: 'r2', agent: 'fake', agentSessionId: 'agent-2' },
      ]);
    },
  },
  {
    name: 'one that somebody owns is left alone and told',
    async run(open) {
      const store = await open();
      const other = await open();
      await store.startRun(start);
      const events = wholeRun({ runId: 'r1' }, { text: 'zebra' });
      assert.deepEqual(await other.keepRuns([{ start, events, sourceState: 'one' }]), ['r1']);
      has(await store.session('r1'), { state: 'running', runs: [{ lastSeq: 0 }] });
    },
  },
  {
    name: 'one that somebody owned and let go is replaced like any other',
    async run(open) {
      const store = await open();
      const other = await open();
      await store.startRun(start);
      await store.append(wholeRun({ runId: 'r1' }, { text: 'zebra' }).slice(0, 2));
      await store.endRun('r1', 'one');
      const events = wholeRun({ runId: 'r1' }, { text: 'tapir' });
      assert.deepEqual(await other.keepRuns([{ start, events, sourceState: 'two' }]), []);
      assert.deepEqual([await found(store, { text: 'zebra' }), await found(store, { text: 'tapir' })], [[], ['r1']]);
      await store.startRun({ ...start, reopen: true });
      has(await store.session('r1'), { state: 'running', runs: [{ lastSeq: events.length }] });
    },
  },
];
