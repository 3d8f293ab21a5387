/** The contract of the store as tests: each implementation passes them in three lines. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { GlassboxError } from '../../src/event/index.js';
import { START, stamp, wholeRun } from './events.js';
import { all, found, HOUR, type Place, runIds, usePlace } from './place.js';
import { testQueries } from './suite-query.js';

export function testStore(name: string, make: () => Promise<Place>): void {
  describe(name, () => {
    describe('events', () => {
      const at = usePlace(make, beforeEach, afterEach);
      test('what was appended is read back, with its schema, also after opening again', async () => {
        const events = wholeRun({ runId: 'r1' });
        expect(await at.store.append(events)).toBe(events.length);
        const expected = events.map((event) => ({ schema: 1, ...event }));
        expect(await all(at.store.read('r1'))).toEqual(expected);
        expect(await all((await at.open()).read('r1'))).toEqual(expected);
      });

      test('appending again, or overlapping, writes nothing twice', async () => {
        const events = wholeRun({ runId: 'r1' });
        await at.store.append(events.slice(0, 5));
        expect(await at.store.append(events.slice(0, 5))).toBe(5);
        expect(await at.store.append(events.slice(2))).toBe(events.length);
        expect((await all(at.store.read('r1'))).map((event) => event.seq)).toEqual(events.map((event) => event.seq));
        expect((await at.store.session('r1'))?.toolCalls).toBe(1);
      });

      test('reading begins where it is told to', async () => {
        await at.store.append(wholeRun({ runId: 'r1' }));
        expect((await all(at.store.read('r1', 11))).map((event) => event.seq)).toEqual([11, 12, 13]);
      });

      test('an event with fromSeq takes the place of what it covers', async () => {
        const block = { messageId: 'm', index: 0 };
        await at.store.append(
          stamp({ runId: 'r1' }, [
            { type: 'turn-start' },
            { type: 'text-delta', ...block, text: 'Hel' },
            { type: 'text-delta', ...block, text: 'lo' },
          ]),
        );
        const end = { type: 'text-end', ...block, text: 'Hello', fromSeq: 2 } as const;
        expect(await at.store.append(stamp({ runId: 'r1', firstSeq: 4 }, [end]))).toBe(4);
        expect((await all(at.store.read('r1'))).map(({ type, seq }) => [type, seq])).toEqual([
          ['turn-start', 1],
          ['text-end', 4],
        ]);
        expect((await all(at.store.read('r1', 3))).map(({ seq }) => seq)).toEqual([4]);
      });

      test('many events are read in order', async () => {
        const many = stamp(
          { runId: 'r1' },
          Array.from({ length: 2500 }, (_, n) => ({ type: 'status', code: `${n}` })),
        );
        await at.store.append(many);
        expect((await all(at.store.read('r1'))).map(({ seq }) => seq)).toEqual(many.map(({ seq }) => seq));
      });

      test('a run that is not there rejects with not-found', async () => {
        await expect(all(at.store.read('nowhere'))).rejects.toMatchObject({ code: 'not-found' });
      });

      test('events of two runs in one call are refused', async () => {
        const mixed = [...wholeRun({ runId: 'a' }), ...wholeRun({ runId: 'b' })];
        await expect(at.store.append(mixed)).rejects.toMatchObject({ code: 'invalid-request' });
      });
    });

    describe('tail', () => {
      const at = usePlace(make, beforeEach, afterEach);
      test('another process sees events as they come, and the end', async () => {
        await at.store.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
        const events = wholeRun({ runId: 'r1' });
        await at.store.append(events.slice(0, 2));
        const seen: number[] = [];
        const reading = (async () => {
          for await (const event of (await at.open()).tail('r1')) {
            seen.push(event.seq);
            if (event.seq === 2) void at.store.append(events.slice(2));
          }
        })();
        await reading;
        expect(seen).toEqual(events.map((event) => event.seq));
      });

      test('it ends with its signal', async () => {
        await at.store.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
        const stop = new AbortController();
        const reading = all(at.store.tail('r1', { signal: stop.signal }));
        stop.abort();
        expect(await reading).toEqual([]);
      });

      test('watch tells which sessions changed, in another process too', async () => {
        const changes = (await at.open()).watch()[Symbol.asyncIterator]();
        await at.store.append(wholeRun({ runId: 'r1' }, { prompt: 'Paint it' }));
        const { value } = await changes.next();
        expect(value).toMatchObject([{ title: 'Paint it' }]);
      });
    });

    describe('sessions', () => {
      const at = usePlace(make, beforeEach, afterEach);
      test('a run is summed up', async () => {
        await at.keep({ runId: 'r1', sessionId: 'agent-1' }, { prompt: 'Fix it\nnow', usd: 0.25 });
        expect(await at.store.session('latest')).toMatchObject({
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
      });

      test('it is found by its id, the beginning of it, the run id and the agent’s id', async () => {
        await at.keep({ runId: 'r1', sessionId: 'agent-1' });
        const id = (await at.store.session('r1'))?.id ?? '';
        for (const ref of [id, id.slice(0, 3), id.toUpperCase(), 'r1', 'agent-1', 'latest']) {
          expect((await at.store.session(ref))?.id, ref).toBe(id);
        }
        expect(await at.store.session('nothing')).toBeUndefined();
      });

      test('a run that resumes joins the session, a fork gets its own', async () => {
        await at.keep({ runId: 'r1', sessionId: 'agent-1' });
        await at.store.startRun({ runId: 'r2', agent: 'fake', startedAt: START + HOUR, resumes: 'agent-1' });
        await at.keep({ runId: 'r2', sessionId: 'agent-1', at: START + HOUR });
        await at.store.startRun({
          runId: 'r3',
          agent: 'fake',
          startedAt: START + HOUR,
          resumes: 'agent-1',
          fork: true,
        });
        await at.keep({ runId: 'r3', sessionId: 'agent-2', at: START + HOUR });
        const session = await at.store.session('agent-1');
        expect(session?.runs.map(({ runId, resumedFrom }) => [runId, resumedFrom])).toEqual([
          ['r1', undefined],
          ['r2', 'r1'],
        ]);
        expect(await at.store.session('agent-2')).toMatchObject({ forkedFrom: session?.id, runs: [{ runId: 'r3' }] });
      });

      test('a run that turns out to continue a session joins it, and its first id still works', async () => {
        await at.keep({ runId: 'r1', sessionId: 'agent-1' });
        const { session } = await at.store.startRun({ runId: 'r2', agent: 'fake', startedAt: START + HOUR });
        await at.keep({ runId: 'r2', sessionId: 'agent-1', at: START + HOUR });
        const joined = await at.store.session('agent-1');
        expect(joined?.runs).toHaveLength(2);
        expect((await at.store.session(session))?.id).toBe(joined?.id);
        expect((await at.store.list()).items).toHaveLength(1);
      });

      test('a run is running until it ends', async () => {
        const started = await at.store.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
        expect(started).toMatchObject({ state: 'running', owner: { pid: process.pid }, lastSeq: 0 });
        await at.keep({ runId: 'r1' });
        expect(await at.store.session('r1')).toMatchObject({ state: 'ended', outcome: 'finished' });
      });

      test('a stream without a run-end is ended by hand; its last turn tells how', async () => {
        await at.store.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
        await at.store.append(wholeRun({ runId: 'r1' }).slice(0, -1));
        expect(await at.store.session('r1')).toMatchObject({ state: 'running' });
        await at.store.endRun('r1');
        expect(await at.store.session('r1')).toMatchObject({ state: 'ended', outcome: 'finished' });
      });

      test('an imported run is emptied to be filled again, and keeps its session', async () => {
        const start = { runId: 'r1', agent: 'fake', startedAt: START, owned: false };
        const { session } = await at.store.startRun(start);
        await at.keep({ runId: 'r1' }, { text: 'first' });
        await at.store.endRun('r1', 'state 1');
        expect(await at.store.startRun(start)).toMatchObject({ lastSeq: 13, session, sourceState: 'state 1' });
        const emptied = await at.store.startRun({ ...start, replace: true });
        expect(emptied).toMatchObject({ lastSeq: 0, session });
        expect(emptied.sourceState, 'until it is complete again').toBeUndefined();
        await at.keep({ runId: 'r1' }, { text: 'second' });
        expect(await found(at.store, { text: 'first' })).toEqual([]);
        expect(await found(at.store, { text: 'second' })).toEqual(['r1']);
      });
    });

    describe('piped runs', () => {
      const at = usePlace(make, beforeEach, afterEach);
      const pipe = async (runId: string, sourceState: string, sessionId = 'agent-1') => {
        await at.store.startRun({ runId, agent: 'fake', startedAt: START, piped: true });
        await at.store.append(wholeRun({ runId, sessionId }, { usd: 0.25 }).slice(0, -1));
        await at.store.endRun(runId, sourceState);
      };

      test('say that they were piped, and wait for nobody', async () => {
        await at.store.startRun({ runId: 'r1', agent: 'fake', startedAt: START, piped: true });
        await at.store.append(stamp({ runId: 'r1' }, [{ type: 'approval-request', id: 'q1', kind: 'tool' }]));
        expect(await at.store.session('r1')).toMatchObject({ state: 'running', waiting: 0, runs: [{ piped: true }] });
        expect(await at.store.approvals()).toEqual([]);
        expect(await at.store.decide('r1', 'q1', { type: 'approve', by: 'person' })).toBe('unknown');
      });

      test('the same stream again is kept once', async () => {
        await pipe('r1', '100 abc');
        await pipe('r2', '100 abc');
        await pipe('r3', '100 abc', 'agent-2');
        expect(runIds((await at.store.list()).items)).toEqual(['r1']);
        expect(await at.store.totals({ by: 'agent' })).toMatchObject([{ spent: { usd: 0.25 }, sessions: 1 }]);
        await pipe('r4', '200 abc', 'agent-4');
        expect(runIds((await at.store.list()).items).toSorted()).toEqual(['r1', 'r4']);
      });
    });

    describe('approvals', () => {
      const at = usePlace(make, beforeEach, afterEach);
      const request = {
        type: 'approval-request',
        id: 'q1',
        kind: 'tool',
        toolName: 'Bash',
        input: { command: 'rm' },
      } as const;
      const allow = { type: 'approve', by: 'person' } as const;

      beforeEach(async () => {
        await at.store.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
        await at.store.append(stamp({ runId: 'r1' }, [{ type: 'turn-start' }, request]));
      });

      test('one that waits is seen, and the session waits', async () => {
        const another = await at.open();
        expect(await another.approvals()).toMatchObject([
          { runId: 'r1', request: { id: 'q1', input: { command: 'rm' } } },
        ]);
        expect(await another.session('r1')).toMatchObject({ state: 'waiting', waiting: 1 });
        expect(await another.approvals('other')).toEqual([]);
      });

      test('of many answers from several processes exactly one wins, and the owner hears it', async () => {
        const others = [at.store, await at.open(), await at.open()];
        const heard = at.store.decisions('r1')[Symbol.asyncIterator]();
        const answers = Promise.all(others.map((one, n) => one.decide('r1', 'q1', { ...allow, rule: `${n}` })));
        const { value } = await heard.next();
        await at.store.acknowledge('r1', 'q1', 'accepted');
        const results = await answers;
        expect(results.toSorted()).toEqual(['accepted', 'late', 'late']);
        expect(value).toEqual({ id: 'q1', answer: { ...allow, rule: String(results.indexOf('accepted')) } });
        expect(await at.store.approvals()).toEqual([]);
      });

      test('an answer is what its owner says: too late, or refused, and then the question is open again', async () => {
        const another = await at.open();
        const heard = at.store.decisions('r1')[Symbol.asyncIterator]();
        const nonsense = another.decide('r1', 'q1', { ...allow, changes: { '/x': 1 } });
        await heard.next();
        await at.store.acknowledge('r1', 'q1', { refused: 'There is no x.' });
        await expect(nonsense).rejects.toMatchObject({ code: 'invalid-request', message: 'There is no x.' });
        expect(await another.approvals()).toHaveLength(1);

        const late = another.decide('r1', 'q1', allow);
        await heard.next();
        await at.store.acknowledge('r1', 'q1', 'late');
        expect(await late).toBe('late');
      });

      test('the owner settles it otherwise: an answer that waits is late', async () => {
        const answer = (await at.open()).decide('r1', 'q1', allow);
        while ((await at.store.approvals()).length > 0);
        const resolve = { type: 'approval-resolve', id: 'q1', decision: 'deny', by: 'person' } as const;
        await at.store.append(stamp({ runId: 'r1', firstSeq: 3 }, [resolve]));
        expect(await answer).toBe('late');
      });

      test('an owner that does not listen does not keep anybody waiting, and the question stays open', async () => {
        const another = await at.open();
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        const answer = another.decide('r1', 'q1', allow);
        while ((await at.store.approvals()).length > 0);
        vi.advanceTimersByTime(10_000);
        vi.useRealTimers();
        expect(await answer).toBe('late');
        expect(await another.approvals()).toHaveLength(1);
      });

      test('one that was settled takes no answer any more', async () => {
        const resolve = { type: 'approval-resolve', id: 'q1', decision: 'deny', by: 'person' } as const;
        await at.store.append(stamp({ runId: 'r1', firstSeq: 3 }, [resolve]));
        expect(await at.store.decide('r1', 'q1', allow)).toBe('late');
        expect(await at.store.decide('r1', 'q2', allow)).toBe('unknown');
        expect(await at.store.decide('r2', 'q1', allow)).toBe('unknown');
        expect(await at.store.session('r1')).toMatchObject({ state: 'running', waiting: 0 });
      });
    });

    describe('removing', () => {
      const at = usePlace(make, beforeEach, afterEach);
      test('a deleted session leaves nothing behind', async () => {
        await at.keep({ runId: 'r1', sessionId: 'agent-1' }, { text: 'zebra', usd: 1 });
        await at.keep({ runId: 'r2' }, { text: 'zebra', usd: 2 });
        await at.store.delete((await at.store.session('r1'))?.id ?? '');
        expect(await found(at.store, { text: 'zebra' })).toEqual(['r2']);
        expect(await at.store.totals({ by: 'agent' })).toMatchObject([{ spent: { usd: 2 } }]);
        expect(await at.store.session('agent-1')).toBeUndefined();
        await expect(all(at.store.read('r1'))).rejects.toMatchObject({ code: 'not-found' });
      });

      test('a running session is not deleted, an unknown one is not found', async () => {
        const { session } = await at.store.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
        await expect(at.store.delete(session)).rejects.toMatchObject({ code: 'conflict' });
        await expect(at.store.delete('zzz')).rejects.toMatchObject({ code: 'not-found' });
      });

      test('pruning by age keeps what is younger', async () => {
        await at.keep({ runId: 'old', at: Date.now() - 10 * HOUR });
        await at.keep({ runId: 'new', at: Date.now() - HOUR });
        expect(await at.store.prune({ maxAgeMs: 5 * HOUR })).toMatchObject({ sessions: 1 });
        expect(runIds((await at.store.list()).items)).toEqual(['new']);
      });

      test('pruning by size removes the oldest until the rest fits', async () => {
        const text = Array.from({ length: 20_000 }, (_, n) => `word${n}`).join(' ');
        for (let n = 0; n < 8; n += 1) await at.keep({ runId: `r${n}`, at: START + n * HOUR }, { text });
        const before = await at.store.prune({});
        const { sessions, bytes } = await at.store.prune({ maxBytes: before.bytes / 2 });
        expect(bytes).toBeLessThanOrEqual(before.bytes / 2);
        expect(sessions).toBeGreaterThanOrEqual(4);
        expect(sessions).toBeLessThan(8);
        expect(runIds((await at.store.list()).items)[0]).toBe('r7');
      });
    });

    describe('closing', () => {
      const at = usePlace(make, beforeEach, afterEach);

      test('a closed store says so and its readers end', async () => {
        await at.store.startRun({ runId: 'r1', agent: 'fake', startedAt: START });
        const reading = all(at.store.tail('r1'));
        await at.store.close();
        expect(await reading).toEqual([]);
        await expect(at.store.list()).rejects.toBeInstanceOf(GlassboxError);
      });
    });

    testQueries(make);
  });
}
