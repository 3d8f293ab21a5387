/** The contract of sessions: what is known of runs without reading their events, and which of them belong together. */
import assert from 'node:assert/strict';
import type { AgentEvent } from '../../event/index.js';
import { all, type Check, found, HOUR, has, keep, rejects, runIds } from './case.js';
import { START, stamp, wholeRun } from './events.js';

const start = { runId: 'r1', agent: 'fake', startedAt: START };

export const sessionCases: Check[] = [
  {
    name: 'a run is summed up',
    async run(open) {
      const store = await open();
      await keep(store, { runId: 'r1', sessionId: 'agent-1' }, { prompt: 'Fix it\nnow', usd: 0.25 });
      has(await store.session('latest'), {
        title: 'Fix it now',
        agent: 'fake',
        agentSessionId: 'agent-1',
        model: 'big-1',
        cwd: '/work/project',
        state: 'ended',
        outcome: 'finished',
        spent: { usd: 0.25, origin: 'reported' },
        usage: { inputTokens: 100, outputTokens: 20 },
        turns: 1,
        toolCalls: 1,
        waiting: 0,
        runs: [{ runId: 'r1', agentVersion: '1.2.3', lastSeq: 13 }],
      });
    },
  },
  {
    name: 'a start that failed or was empty is never the latest, and is left out where only work is wanted',
    async run(open) {
      const store = await open();
      await keep(store, { runId: 'r1', sessionId: 'agent-1' });
      const at = START + 1000 * HOUR;
      for (const reason of ['spawn-failed', 'cancelled', 'crashed'] as const) {
        const left = { tools: [], tasks: [], approvals: [], processes: [] };
        const end = { type: 'run-end', reason, turns: 0, open: left, durationMs: 1 } as const;
        await store.append(stamp({ runId: reason, at }, [{ type: 'user-message', text: 'Lost words' }, end]));
      }
      const id = (await store.session('r1'))?.id;
      has(await store.session('latest'), { id });
      assert.deepEqual(
        (await store.list({ begun: true })).items.map((session) => session.id),
        [id],
      );
      assert.equal((await store.list()).items.length, 4);
    },
  },
  {
    name: 'it is found by its id, the beginning of it, the run id and the agent’s id',
    async run(open) {
      const store = await open();
      await keep(store, { runId: 'r1', sessionId: 'agent-1' });
      const id = (await store.session('r1'))?.id ?? '';
      for (const ref of [id, id.slice(0, 3), id.toUpperCase(), 'r1', 'agent-1', 'latest'])
        assert.equal((await store.session(ref))?.id, id, ref);
      assert.equal(await store.session('nothing'), undefined);
    },
  },
  {
    name: 'what an agent calls its session, where that looks like an id of another one, does not take its place',
    async run(open) {
      const store = await open();
      await keep(store, { runId: 'r1', sessionId: 'agent-1' });
      const id = (await store.session('r1'))?.id ?? '';
      await keep(store, { runId: 'r2', sessionId: id });
      assert.equal((await store.session(id))?.runs[0]?.runId, 'r1');
      const begun = id.slice(0, -1);
      await keep(store, { runId: 'r3', sessionId: begun });
      await rejects(store.session(begun), 'conflict');
    },
  },
  {
    name: 'a beginning that several have is refused, and not taken for one of them',
    async run(open) {
      const store = await open();
      const ids: string[] = [];
      // Ids are not ours to choose; there are fewer characters than sessions here, so two begin alike.
      for (let number = 0; number < 40; number += 1) {
        const { session } = await store.startRun({ ...start, runId: `run-${number}` });
        ids.push(session);
      }
      const first = ids.map((id) => id.charAt(0)).find((letter, index, all) => all.indexOf(letter) !== index) ?? '';
      await rejects(store.session(first), 'conflict');
      for (const id of ids) assert.equal((await store.session(id))?.id, id);
    },
  },
  {
    name: 'a run that resumes joins the session, a fork gets its own',
    async run(open) {
      const store = await open();
      const later = { agent: 'fake', startedAt: START + HOUR, resumes: 'agent-1' };
      await keep(store, { runId: 'r1', sessionId: 'agent-1' });
      await store.startRun({ runId: 'r2', ...later });
      await keep(store, { runId: 'r2', sessionId: 'agent-1', at: START + HOUR });
      await store.startRun({ runId: 'r3', ...later, fork: true });
      await keep(store, { runId: 'r3', sessionId: 'agent-2', at: START + HOUR });
      const session = await store.session('agent-1');
      assert.deepEqual(
        session?.runs.map(({ runId, resumedFrom }) => [runId, resumedFrom]),
        [
          ['r1', undefined],
          ['r2', 'r1'],
        ],
      );
      has(await store.session('agent-2'), { forkedFrom: session?.id, runs: [{ runId: 'r3' }] });
    },
  },
  {
    name: 'a run that turns out to continue a session joins it, and its first id still works',
    async run(open) {
      const store = await open();
      await keep(store, { runId: 'r1', sessionId: 'agent-1' });
      const { session } = await store.startRun({ runId: 'r2', agent: 'fake', startedAt: START + HOUR });
      await keep(store, { runId: 'r2', sessionId: 'agent-1', at: START + HOUR });
      const joined = await store.session('agent-1');
      assert.equal(joined?.runs.length, 2);
      has(await store.session(session), { id: joined?.id });
      assert.equal((await store.list()).items.length, 1);
    },
  },
  {
    name: 'a run is running until it ends',
    async run(open) {
      const store = await open();
      has(await store.startRun(start), { state: 'running', owner: { pid: process.pid }, lastSeq: 0 });
      await keep(store, { runId: 'r1' });
      has(await store.session('r1'), { state: 'ended', outcome: 'finished' });
    },
  },
  {
    name: 'a session lives as long as one of its runs, also when a later one has ended',
    async run(open) {
      const store = await open();
      await store.startRun({ ...start, runId: 'r1' });
      await store.append(wholeRun({ runId: 'r1', sessionId: 'agent-1' }).slice(0, -1));
      await store.startRun({ ...start, runId: 'r2', startedAt: START + HOUR, resumes: 'agent-1' });
      await keep(store, { runId: 'r2', sessionId: 'agent-1', at: START + HOUR });
      has(await store.session('agent-1'), { state: 'running', runs: [{ state: 'running' }, { state: 'ended' }] });
      assert.equal((await store.session('agent-1'))?.outcome, undefined);
      assert.equal((await store.list({ state: 'running' })).items.length, 1);
      assert.equal((await store.list({ state: 'ended' })).items.length, 0);
      await store.endRun('r1');
      has(await store.session('agent-1'), { state: 'ended', outcome: 'finished' });
    },
  },
  {
    name: 'a stream without a run-end is ended by hand; its last turn tells how',
    async run(open) {
      const store = await open();
      await store.startRun(start);
      await store.append(wholeRun({ runId: 'r1' }).slice(0, -1));
      has(await store.session('r1'), { state: 'running' });
      await store.endRun('r1');
      has(await store.session('r1'), { state: 'ended', outcome: 'finished' });
    },
  },
  {
    name: 'an imported run is emptied to be filled again, and keeps its session',
    async run(open) {
      const store = await open();
      const imported = { ...start, owned: false };
      const { session } = await store.startRun(imported);
      await keep(store, { runId: 'r1' }, { text: 'first' });
      await store.endRun('r1', 'state 1');
      has(await store.startRun(imported), { lastSeq: 13, session, sourceState: 'state 1' });
      const emptied = await store.startRun({ ...imported, replace: true });
      has(emptied, { lastSeq: 0, session });
      assert.equal(emptied.sourceState, undefined, 'until it is complete again');
      await keep(store, { runId: 'r1' }, { text: 'second' });
      assert.deepEqual(await found(store, { text: 'first' }), []);
      assert.deepEqual(await found(store, { text: 'second' }), ['r1']);
    },
  },
  {
    name: 'a piped run says that it was piped, and waits for nobody',
    async run(open) {
      const store = await open();
      await store.startRun({ ...start, piped: true });
      await store.append(stamp({ runId: 'r1' }, [{ type: 'approval-request', id: 'q1', kind: 'tool' }]));
      has(await store.session('r1'), { state: 'running', waiting: 0, runs: [{ piped: true }] });
      assert.deepEqual(await store.approvals(), []);
      const stop = await store.tell('r1', { type: 'stop' }, { by: 'person' });
      has(stop, { outcome: 'refused', code: 'conflict' });
    },
  },
  {
    name: 'the same piped stream again is kept once',
    async run(open) {
      const store = await open();
      const pipe = async (runId: string, sourceState: string, sessionId = 'agent-1') => {
        await store.startRun({ ...start, runId, piped: true });
        await store.append(wholeRun({ runId, sessionId }, { usd: 0.25 }).slice(0, -1));
        await store.endRun(runId, sourceState);
      };
      await pipe('r1', '100 abc');
      await pipe('r2', '100 abc');
      await pipe('r3', '100 abc', 'agent-2');
      assert.deepEqual(runIds((await store.list()).items), ['r1']);
      has(await store.totals({ by: 'agent' }), [{ spent: { usd: 0.25 }, sessions: 1 }]);
      await pipe('r4', '200 abc', 'agent-4');
      assert.deepEqual(runIds((await store.list()).items).toSorted(), ['r1', 'r4']);
    },
  },
  {
    name: 'the beginning of a piped stream that is kept changes nothing, before the whole or after it',
    async run(open) {
      const store = await open();
      const pipe = async (runId: string, length: number) => {
        const read = wholeRun({ runId, sessionId: 'agent-1', at: START + Number(runId.slice(1)) }, { usd: 0.25 });
        const seq = length + 1;
        const cut = { type: 'turn-end', outcome: 'interrupted', seq, source: 'synthetic' } as const;
        await store.startRun({ ...start, runId, piped: true });
        await store.append([...read.slice(0, length), ...(length < 12 ? [{ ...read[0], ...cut } as AgentEvent] : [])]);
        await store.endRun(runId, `${length} state`);
      };
      const kept = async () => (await store.list()).items;
      const whole = { outcome: 'finished', spent: { usd: 0.25, origin: 'reported' }, turns: 1, toolCalls: 1 };
      await pipe('r1', 6);
      has(await kept(), [{ outcome: 'cancelled', toolCalls: 1, runs: [{ runId: 'r1' }] }]);
      await pipe('r2', 12);
      has(await kept(), [{ ...whole, runs: [{ runId: 'r2' }] }]);
      await pipe('r3', 6);
      has(await kept(), [{ ...whole, runs: [{ runId: 'r2' }] }]);
      const calls = (await store.totals({ by: 'tool' })).find(({ key }) => key === 'Bash');
      has(calls, { calls: 1, sessions: 1 });
      assert.equal((await store.session('r2'))?.id, (await store.session('latest'))?.id);
    },
  },
  {
    name: 'another stream of the same conversation is a run of its own, whatever it begins with',
    async run(open) {
      const store = await open();
      for (const text of ['All done', 'Done again']) {
        const runId = text;
        await store.startRun({ ...start, runId, piped: true });
        await store.append(wholeRun({ runId, sessionId: 'agent-1' }, { text }).slice(0, -1));
        await store.endRun(runId, text);
      }
      has(await store.list(), { items: [{ runs: [{ runId: 'All done' }, { runId: 'Done again' }] }] });
    },
  },
];

export const removalCases: Check[] = [
  {
    name: 'a deleted session leaves nothing behind',
    async run(open) {
      const store = await open();
      await keep(store, { runId: 'r1', sessionId: 'agent-1' }, { text: 'zebra', usd: 1 });
      await keep(store, { runId: 'r2' }, { text: 'zebra', usd: 2 });
      await store.delete((await store.session('r1'))?.id ?? '');
      assert.deepEqual(await found(store, { text: 'zebra' }), ['r2']);
      has(await store.totals({ by: 'agent' }), [{ spent: { usd: 2 } }]);
      assert.equal(await store.session('agent-1'), undefined);
      await rejects(all(store.read('r1')), 'not-found');
    },
  },
  {
    name: 'a running session is not deleted, an unknown one is not found',
    async run(open) {
      const store = await open();
      const { session } = await store.startRun(start);
      await rejects(store.delete(session), 'conflict');
      await rejects(store.delete('zzz'), 'not-found');
    },
  },
  {
    name: 'pruning by age keeps what is younger',
    async run(open) {
      const store = await open();
      await keep(store, { runId: 'old', at: Date.now() - 10 * HOUR });
      await keep(store, { runId: 'new', at: Date.now() - HOUR });
      has(await store.prune({ maxAgeMs: 5 * HOUR }), { sessions: 1 });
      assert.deepEqual(runIds((await store.list()).items), ['new']);
    },
  },
  {
    name: 'pruning by size removes the oldest until the rest fits',
    async run(open) {
      const store = await open();
      const text = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join(' ');
      for (let n = 0; n < 8; n += 1) await keep(store, { runId: `r${n}`, at: START + n * HOUR }, { text });
      const before = await store.prune({});
      const { sessions, bytes } = await store.prune({ maxBytes: before.bytes / 2 });
      assert.ok(bytes <= before.bytes / 2, `${bytes} of ${before.bytes} bytes are left`);
      assert.ok(sessions >= 4 && sessions < 8, `${sessions} sessions were removed`);
      assert.equal(runIds((await store.list()).items)[0], 'r7');
    },
  },
];
