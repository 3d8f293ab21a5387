/** The contract of what sessions are called and which are kept: by a person, by the agent, by what happened first. */
import assert from 'node:assert/strict';
import { all, type Check, HOUR, has, keep, rejects, runIds } from './case.js';
import { START, stamp, wholeRun } from './events.js';

const silent = { runId: 'r1', sessionId: 'agent-1' };
const deed = [
  { type: 'turn-start' },
  { type: 'tool-start', id: 't1', name: 'Bash', kind: 'execute' },
  { type: 'tool-input-end', id: 't1', input: { command: 'npm test' }, summary: 'npm test' },
] as const;

export const labelCases: Check[] = [
  {
    name: 'without a prompt it is called by its first words, before there are any by its first deed',
    async run(open) {
      const store = await open();
      const title = async () => (await store.session('r1'))?.title;
      await store.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
      assert.equal(await title(), '');
      await store.append(stamp(silent, [...deed]));
      assert.equal(await title(), 'Bash npm test');
      const words = (text: string) => ({ type: 'text-end', messageId: 'm1', index: 0, text }) as const;
      const later = [{ ...words('From a helper'), parent: 't1' }, words('The tests\npass.'), words('All of them.')];
      await store.append(stamp({ ...silent, firstSeq: 4 }, later));
      assert.equal(await title(), 'The tests pass.');
      has(await store.list({ text: 'tests pass' }), { items: [{ title: 'The tests pass.' }] });
      await store.append(stamp({ ...silent, firstSeq: 7 }, [{ type: 'user-message', text: 'Test it' }]));
      assert.equal(await title(), 'Test it');
    },
  },
  {
    name: 'a name that a person gives goes before every other, is found, and can be taken back',
    async run(open) {
      const store = await open();
      const other = await open();
      await keep(store, silent, { prompt: 'Fix it' });
      const id = (await store.session('r1'))?.id ?? '';
      has(await store.label(id, { name: '  The\nbig fix ' }), { id, name: 'The big fix', title: 'The big fix' });
      has(await other.session(id), { name: 'The big fix', title: 'The big fix', runs: [{ prompt: 'Fix it' }] });
      assert.equal((await store.list({ text: 'BIG fix' })).items.length, 1);
      const renamed = await store.label(id, { name: '' });
      assert.equal(renamed.title, 'Fix it');
      assert.equal(renamed.name, undefined);
      await rejects(store.label('zzz', { name: 'x' }), 'not-found');
    },
  },
  {
    name: 'a label of one part leaves the other, and whoever watches hears of it',
    async run(open) {
      const store = await open();
      await keep(store, silent);
      const id = (await store.session('r1'))?.id ?? '';
      const heard = store.watch()[Symbol.asyncIterator]();
      await store.label(id, { name: 'Named' });
      has((await heard.next()).value, [{ id, name: 'Named' }]);
      await heard.return?.();
      has(await store.label(id, { pinned: true }), { name: 'Named', pinned: true });
      assert.equal((await store.label(id, { pinned: false })).pinned, undefined);
    },
  },
  {
    name: 'what a person said of a session holds for the one that it turns out to continue',
    async run(open) {
      const store = await open();
      await keep(store, silent);
      const { session } = await store.startRun({ runId: 'r2', agent: 'fake', startedAt: START + HOUR });
      await store.label(session, { name: 'Mine', pinned: true });
      await keep(store, { runId: 'r2', sessionId: 'agent-1', at: START + HOUR });
      has(await store.session('r1'), { name: 'Mine', pinned: true, runs: [{ runId: 'r1' }, { runId: 'r2' }] });
    },
  },
  {
    name: 'those that are pinned are listed alone, or the others',
    async run(open) {
      const store = await open();
      for (const runId of ['r1', 'r2']) await keep(store, { runId });
      await store.label('r1', { pinned: true });
      assert.deepEqual(runIds((await store.list({ pinned: true })).items), ['r1']);
      assert.deepEqual(runIds((await store.list({ pinned: false })).items), ['r2']);
    },
  },
  {
    name: 'what is archived is listed alone or left out, and is back when it goes on or somebody says so',
    async run(open) {
      const store = await open();
      for (const runId of ['r1', 'r2']) await keep(store, { runId, sessionId: runId });
      has(await store.label('r1', { archived: true, name: 'Mine' }), { archived: true, name: 'Mine' });
      assert.deepEqual(runIds((await store.list({ archived: true })).items), ['r1']);
      assert.deepEqual(runIds((await store.list({ archived: false })).items), ['r2']);
      assert.equal((await store.list()).items.length, 2, 'nobody asked for a part');
      assert.equal((await store.label('r1', { archived: false })).archived, undefined);
      await store.label('r1', { archived: true });
      await keep(store, { runId: 'r3', sessionId: 'r1', at: START + HOUR });
      assert.equal((await store.session('r1'))?.archived, undefined);
      assert.deepEqual((await store.list({ archived: true })).items, []);
    },
  },
  {
    name: 'pruning leaves what is pinned and what runs, and says what goes, or what would',
    async run(open) {
      const store = await open();
      const at = Date.now() - 10 * HOUR;
      for (const runId of ['old', 'kept']) await keep(store, { runId, at });
      await store.label('kept', { pinned: true });
      await store.startRun({ runId: 'alive', agent: 'fake', startedAt: at });
      await store.append(wholeRun({ runId: 'alive', at }).slice(0, -1));
      const old = (await store.session('old'))?.id;
      has(await store.prune({ maxAgeMs: HOUR, dryRun: true }), { sessions: 1, ids: [old] });
      assert.equal((await all(store.read('old'))).length, 13, 'nothing is gone yet');
      has(await store.prune({ maxAgeMs: HOUR }), { sessions: 1, ids: [old] });
      assert.deepEqual(runIds((await store.list()).items).toSorted(), ['alive', 'kept']);
    },
  },
];
