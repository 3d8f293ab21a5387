/** The contract of owners: a run has one, and whoever is not it writes nothing. */
import assert from 'node:assert/strict';
import { type Check, has, rejects } from './case.js';
import { START, stamp, wholeRun } from './events.js';

const start = { runId: 'r1', agent: 'fake', startedAt: START };
const first = stamp({ runId: 'r1' }, [{ type: 'turn-start' }]);

export const ownerCases: Check[] = [
  {
    name: 'who starts a run owns it, and nobody else starts, writes, ends or hears for it',
    async run(open) {
      const [owner, other] = [await open(), await open()];
      has(await owner.startRun(start), { state: 'running', owner: { epoch: 1 } });
      await rejects(other.startRun(start), 'conflict');
      await rejects(other.append(first), 'conflict');
      await rejects(other.endRun('r1'), 'conflict');
      await rejects(other.startRun({ ...start, owned: false, replace: true }), 'conflict');
      assert.equal(await owner.append(first), 1);
      has(await other.session('r1'), { state: 'running', runs: [{ lastSeq: 1 }] });
    },
  },
  {
    name: 'an owner may start its run again, which changes nothing',
    async run(open) {
      const owner = await open();
      const records = await Promise.all([owner.startRun(start), owner.startRun(start)]);
      for (const record of records) has(record, { owner: { epoch: 1 } });
      assert.equal(await owner.append(first), 1);
    },
  },
  {
    name: 'a run that nobody owns is written by whoever reads its source',
    async run(open) {
      const [one, other] = [await open(), await open()];
      const events = wholeRun({ runId: 'r1' });
      await one.startRun({ ...start, owned: false });
      await one.append(events.slice(0, 5));
      assert.equal(await other.append(events), events.length);
      has(await one.session('r1'), { state: 'ended', toolCalls: 1 });
    },
  },
  {
    name: 'of those who would go on with a session alone one does, and the others hear who',
    async run(open) {
      const stores = [await open(), await open(), await open()];
      const [first, second] = stores;
      const terms = { permission: 'ask' as const, followUp: false };
      await first?.startRun({ ...start, owned: false });
      await first?.append(wholeRun({ runId: 'r1', sessionId: 'agent-1' }));
      const later = { agent: 'fake', startedAt: START + 1, resumes: 'agent-1', terms };
      const tried = await Promise.allSettled(
        stores.map((store, number) => store.startRun({ ...later, runId: `next-${number}`, alone: true })),
      );
      assert.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1);
      const { id } = (await second?.session('r1')) ?? {};
      for (const one of tried)
        if (one.status === 'rejected') {
          assert.equal((one.reason as { code?: string }).code, 'conflict');
          assert.match(String(one.reason), new RegExp(`process ${process.pid}.* goes on with ${id} `));
        }
      await second?.startRun({ ...later, runId: 'copy', fork: true, alone: true });
      const won = tried.findIndex(({ status }) => status === 'fulfilled');
      await stores[won]?.endRun(`next-${won}`);
      has(await second?.startRun({ ...later, runId: 'last', alone: true }), { state: 'running', session: id });
    },
  },
  {
    name: 'what has ended by itself is not started again',
    async run(open) {
      const [owner, other] = [await open(), await open()];
      await owner.startRun(start);
      await owner.append(wholeRun({ runId: 'r1' }));
      has(await other.startRun(start), { state: 'ended', outcome: 'finished', owner: { epoch: 1 } });
      await rejects(other.append(stamp({ runId: 'r1', firstSeq: 14 }, [{ type: 'turn-start' }])), 'conflict');
    },
  },
  {
    name: 'a run that has ended is opened again by whoever found more of it, and goes on where it stopped',
    async run(open) {
      const [watcher, other] = [await open(), await open()];
      await watcher.startRun(start);
      await watcher.append(first);
      await watcher.endRun('r1', 'state 1');
      has(await other.session('r1'), { state: 'ended', runs: [{ sourceState: 'state 1' }] });
      has(await other.startRun({ ...start, reopen: true }), { state: 'running', lastSeq: 1, owner: { epoch: 2 } });
      assert.equal((await other.session('r1'))?.runs[0]?.sourceState, undefined);
      await rejects(watcher.append(stamp({ runId: 'r1', firstSeq: 2 }, [{ type: 'turn-start' }])), 'conflict');
      await rejects(watcher.startRun({ ...start, reopen: true }), 'conflict');
      assert.equal(await other.append(stamp({ runId: 'r1', firstSeq: 2 }, [{ type: 'turn-start' }])), 2);
    },
  },
  {
    name: 'a run that was owned once can be filled again by another, and then by its owner',
    async run(open) {
      const [watcher, importer] = [await open(), await open()];
      const events = wholeRun({ runId: 'r1' });
      await watcher.startRun(start);
      await watcher.append(events.slice(0, 5));
      await watcher.endRun('r1', 'state 1');
      await importer.startRun({ ...start, owned: false, replace: true });
      assert.equal(await importer.append(events.slice(0, 3)), 3);
      await rejects(watcher.append(events), 'conflict');
      await importer.endRun('r1', 'state 2');
      has(await watcher.startRun({ ...start, replace: true }), { state: 'running', lastSeq: 0, owner: { epoch: 2 } });
      assert.equal(await watcher.append(events.slice(0, 5)), 5);
      await watcher.endRun('r1', 'state 3');
      await watcher.startRun({ ...start, owned: false, replace: true });
      assert.equal(await watcher.append(events.slice(0, 2)), 2);
    },
  },
];
