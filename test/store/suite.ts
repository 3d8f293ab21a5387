/** The contract of the store as tests: each implementation passes them in three lines. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { GlassboxError } from '../../src/event/index.js';
import type { SearchQuery, Store, Total } from '../../src/store/index.js';
import { type RunFacts, START, type Story, stamp, wholeRun } from './events.js';

export interface Place {
  /** Opens the same data again, as another process would. */
  open(): Promise<Store>;
  remove(): Promise<void>;
}

const HOUR = 3_600_000;

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
        const started = await at.store.startRun({ runId: 'r1', agent: 'fake', startedAt: START, prompt: 'Go' });
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

      test('an imported run is emptied when its source changed, and keeps its session', async () => {
        const start = { runId: 'r1', agent: 'fake', startedAt: START, owned: false };
        const { session } = await at.store.startRun({ ...start, sourceState: 'a' });
        await at.keep({ runId: 'r1' }, { text: 'first' });
        expect(await at.store.startRun({ ...start, sourceState: 'a' })).toMatchObject({ lastSeq: 13, session });
        expect(await at.store.startRun({ ...start, sourceState: 'b' })).toMatchObject({ lastSeq: 0, session });
        await at.keep({ runId: 'r1' }, { text: 'second' });
        expect(await found(at.store, { text: 'first' })).toEqual([]);
        expect(await found(at.store, { text: 'second' })).toEqual(['r1']);
      });
    });

    describe('list', () => {
      const at = usePlace(make, beforeAll, afterAll);
      beforeAll(async () => {
        await at.keep({ runId: 'old', agent: 'one' }, { prompt: 'Rename the module', usd: 0.1, cwd: '/work/a' });
        await at.keep(
          { runId: 'mid', agent: 'two', at: START + HOUR },
          { prompt: 'Paint', usd: 2, cwd: '/work/a/sub' },
        );
        await at.keep({ runId: 'new', agent: 'one', at: START + 2 * HOUR }, { prompt: 'Cook', cwd: '/work/ab' });
        await at.store.startRun({ runId: 'live', agent: 'one', startedAt: START + 3 * HOUR, cwd: '/work/b' });
      });

      const cases: [string, Parameters<Store['list']>[0], string[]][] = [
        ['everything, the last active first', {}, ['live', 'new', 'mid', 'old']],
        ['agent', { agent: 'two' }, ['mid']],
        ['project and what is below it', { project: '/work/a/' }, ['mid', 'old']],
        ['state', { state: 'running' }, ['live']],
        ['outcome', { outcome: 'finished' }, ['new', 'mid', 'old']],
        ['since', { since: START + HOUR }, ['live', 'new', 'mid']],
        ['until', { until: START + HOUR }, ['old']],
        ['cost at least', { minUsd: 1 }, ['mid']],
        ['cost at most', { maxUsd: 1 }, ['old']],
        ['text of the prompt in any case', { text: 'RENAME' }, ['old']],
        ['text of the path', { text: 'work/ab' }, ['new']],
        ['all together', { agent: 'one', outcome: 'finished', text: 'o' }, ['new', 'old']],
      ];
      test.each(cases)('%s', async (_, query, expected) => {
        expect(runIds((await at.store.list(query)).items)).toEqual(expected);
      });

      test('page by page', async () => {
        const first = await at.store.list({ limit: 3 });
        expect(runIds(first.items)).toEqual(['live', 'new', 'mid']);
        const second = await at.store.list({ limit: 3, cursor: first.cursor });
        expect(runIds(second.items)).toEqual(['old']);
        expect(second.cursor).toBeUndefined();
        await expect(at.store.list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid-request' });
      });
    });

    describe('search', () => {
      const at = usePlace(make, beforeAll, afterAll);
      beforeAll(async () => {
        await at.keep({ runId: 'a', agent: 'one' }, { prompt: 'Why is the login test flaky?', usd: 1, cwd: '/work/a' });
        await at.keep(
          { runId: 'b', at: START + HOUR },
          { text: 'The résumé parser is flaky', thinking: 'maybe a race', output: 'Error: EACCES /etc/passwd' },
        );
        await at.keep(
          { runId: 'c', at: START + 2 * HOUR },
          { command: 'git bisect run npm test', text: '構文解析を直した' },
        );
      });

      const cases: [string, SearchQuery, string[]][] = [
        ['a word of the prompt before one of the text', { text: 'flaky' }, ['a', 'b']],
        ['the newest first', { text: 'flaky', order: 'newest' }, ['b', 'a']],
        ['all words must occur', { text: 'flaky parser' }, ['b']],
        ['a phrase', { text: '"login test"' }, ['a']],
        ['a phrase in another order', { text: '"test login"' }, []],
        ['a beginning', { text: 'bise*' }, ['c']],
        ['without a word', { text: 'flaky -login' }, ['b']],
        ['case and accents do not matter', { text: 'RESUME' }, ['b']],
        ['thinking', { text: 'race' }, ['b']],
        ['tool input, its values', { text: 'bisect' }, ['c']],
        ['tool input, not its keys', { text: 'command' }, []],
        ['tool output', { text: 'eacces' }, ['b']],
        ['a path', { text: '/etc/passwd' }, ['b']],
        ['a part of a sentence without spaces', { text: '解析' }, ['c']],
        ['operators of any query language are words', { text: 'NOT OR ( NEAR: *' }, []],
        ['only in outputs', { text: 'npm', fields: ['output'] }, []],
        ['of a tool', { text: 'npm', tool: 'Bash', order: 'newest' }, ['c', 'b', 'a']],
        ['of another tool', { text: 'npm', tool: 'Read' }, []],
        ['agent', { text: 'flaky', agent: 'one' }, ['a']],
        ['project', { text: 'flaky', project: '/work/a' }, ['a']],
        ['date', { text: 'flaky', since: START + HOUR }, ['b']],
        ['cost', { text: 'flaky', minUsd: 0.5 }, ['a']],
        ['outcome', { text: 'flaky', outcome: 'failed' }, []],
      ];
      test.each(cases)('%s', async (_, query, expected) => {
        expect(await found(at.store, query)).toEqual(expected);
      });

      test('a hit says where it is and shows the words', async () => {
        const { items, sessions, events } = await at.store.search({ text: 'eacces' });
        expect({ sessions, events }).toEqual({ sessions: 1, events: 1 });
        const hit = items[0]?.hits[0];
        expect(hit).toMatchObject({ runId: 'b', seq: 9, type: 'tool-end', field: 'output', tool: 'Bash' });
        expect(marked(hit?.snippet)).toEqual(['EACCES']);
      });

      test('the prompt that a run was started with is found', async () => {
        await at.store.startRun({ runId: 'd', agent: 'fake', startedAt: START, prompt: 'Translate the handbook' });
        const { items } = await at.store.search({ text: 'handbook' });
        expect(items[0]?.hits).toMatchObject([{ runId: 'd', seq: 0, field: 'prompt' }]);
      });

      test('page by page', async () => {
        const first = await at.store.search({ text: 'npm', limit: 2 });
        expect(first).toMatchObject({ sessions: 3, events: 3 });
        const second = await at.store.search({ text: 'npm', limit: 2, cursor: first.cursor });
        expect(second.items).toHaveLength(1);
        expect(second.cursor).toBeUndefined();
      });

      test('nothing to search for is refused', async () => {
        await expect(at.store.search({ text: ' -only "" ' })).rejects.toMatchObject({ code: 'invalid-request' });
      });
    });

    describe('totals', () => {
      const at = usePlace(make, beforeAll, afterAll);
      const DAY = 24 * HOUR;
      beforeAll(async () => {
        await at.keep({ runId: 'a', agent: 'one' }, { usd: 1, model: 'big', cwd: '/a' });
        await at.keep({ runId: 'b', agent: 'one', at: START + DAY }, { usd: 3, model: 'small', cwd: '/b' });
        await at.keep({ runId: 'c', agent: 'two', at: START + DAY }, { model: 'big', cwd: '/b' });
      });

      const brief = (totals: Total[]) => totals.map(({ key, spent }) => [key, spent?.usd, spent?.origin]);
      const day = (at: number) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

      test.each([
        [
          'agent',
          [
            ['one', 4, 'reported'],
            ['two', undefined, undefined],
          ],
        ],
        [
          'model',
          [
            ['small', 3, 'reported'],
            ['big', 1, 'lower-bound'],
          ],
        ],
        [
          'project',
          [
            ['/b', 3, 'lower-bound'],
            ['/a', 1, 'reported'],
          ],
        ],
        [
          'day',
          [
            [day(START), 1, 'reported'],
            [day(START + DAY), 3, 'lower-bound'],
          ],
        ],
      ] as const)('by %s; a sum with an unknown part is a lower bound', async (by, expected) => {
        expect(brief(await at.store.totals({ by }))).toEqual(expected);
      });

      test('by tool: calls, and the share of the messages that made them', async () => {
        const totals = await at.store.totals({ by: 'tool', agent: 'one' });
        expect(totals).toMatchObject([
          { key: 'Bash', calls: 2, failed: 0, sessions: 2, usage: { inputTokens: 120, outputTokens: 20 } },
          { key: '', calls: 0, usage: { inputTokens: 80, outputTokens: 20 } },
        ]);
        expect(totals.reduce((sum, total) => sum + (total.spent?.usd ?? 0), 0)).toBeCloseTo(4);
      });

      test('tokens and sessions are summed, within a time', async () => {
        expect(await at.store.totals({ by: 'agent', since: START + DAY })).toMatchObject([
          { key: 'one', sessions: 1, usage: { inputTokens: 100, outputTokens: 20 }, spent: { usd: 3 } },
          { key: 'two', sessions: 1 },
        ]);
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
        const results = await Promise.all(others.map((one, n) => one.decide('r1', 'q1', { ...allow, rule: `${n}` })));
        expect(results.toSorted()).toEqual(['accepted', 'late', 'late']);
        const winner = String(results.indexOf('accepted'));
        expect((await heard.next()).value).toEqual({ id: 'q1', answer: { ...allow, rule: winner } });
        expect(await at.store.approvals()).toEqual([]);
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
  });
}

interface Opened {
  readonly store: Store;
  /** The same data, as another process would open it. */
  open(): Promise<Store>;
  keep(facts: RunFacts, story?: Story): Promise<number>;
}

/** A fresh store for each test, or one for all tests of a group that only read. */
function usePlace(make: () => Promise<Place>, before: typeof beforeEach, after: typeof afterEach): Opened {
  let place: Place;
  let store: Store;
  const opened: Store[] = [];
  const open = async () => {
    const another = await place.open();
    opened.push(another);
    return another;
  };
  before(async () => {
    place = await make();
    store = await open();
  });
  after(async () => {
    for (const one of opened.splice(0)) await one.close();
    await place.remove();
  });
  return {
    get store() {
      return store;
    },
    open,
    keep: (facts, story) => store.append(wholeRun(facts, story)),
  };
}

async function all<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
}

function runIds(sessions: { runs: { runId: string }[] }[]): string[] {
  return sessions.flatMap((session) => session.runs.map((run) => run.runId));
}

async function found(store: Store, query: SearchQuery): Promise<string[]> {
  return runIds((await store.search(query)).items.map(({ session }) => session));
}

function marked(snippet: { text: string; marks: [number, number][] } | undefined): string[] {
  return snippet?.marks.map(([from, to]) => snippet.text.slice(from, to)) ?? [];
}
