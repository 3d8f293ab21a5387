/** The part of the contract that only reads: list, search, totals. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SearchQuery, Store, Total } from '../../src/store/index.js';
import { START, stamp } from './events.js';
import { found, HOUR, type Place, runIds, usePlace } from './place.js';

export function testQueries(make: () => Promise<Place>): void {
  describe('list', () => {
    const at = usePlace(make, beforeAll, afterAll);
    beforeAll(async () => {
      await at.keep({ runId: 'old', agent: 'one' }, { prompt: 'Rename the module', usd: 0.1, cwd: '/work/a' });
      await at.keep({ runId: 'mid', agent: 'two', at: START + HOUR }, { prompt: 'Paint', usd: 2, cwd: '/work/a/sub' });
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

  describe('drift', () => {
    const at = usePlace(make, beforeEach, afterEach);
    const unknown = (wireType: string, more: object = {}) =>
      ({ type: 'unknown', wireType, bytes: 9, ...more }) as const;
    const version = (agentVersion: string) => ({ type: 'session-start', agentVersion }) as const;

    test('what was not known is counted by agent and version, whenever the version is told', async () => {
      const system = unknown('system', { wireSubtype: 'new' });
      await at.store.append(stamp({ runId: 'a', agent: 'one' }, [system, version('2.0'), system, unknown('odd')]));
      await at.store.append(stamp({ runId: 'b', agent: 'one', at: START + HOUR }, [version('2.0'), system]));
      await at.store.append(
        stamp({ runId: 'c', agent: 'one' }, [version('2.1'), unknown('assistant', { field: 'x' })]),
      );
      await at.store.append(stamp({ runId: 'd', agent: 'two' }, [unknown('odd')]));
      await at.keep({ runId: 'e', agent: 'two' });
      expect(await at.store.drift()).toEqual([
        { agent: 'one', agentVersion: '2.0', kind: 'system/new', count: 3, runs: 2, lastAt: START + HOUR + 2000 },
        { agent: 'one', agentVersion: '2.0', kind: 'odd', count: 1, runs: 1, lastAt: START + 4000 },
        { agent: 'one', agentVersion: '2.1', kind: 'assistant', field: 'x', count: 1, runs: 1, lastAt: START + 2000 },
        { agent: 'two', kind: 'odd', count: 1, runs: 1, lastAt: START + 1000 },
      ]);
      expect(await at.store.drift({ since: START + HOUR })).toMatchObject([{ kind: 'system/new', count: 1, runs: 1 }]);
    });

    test('an event that is sent again is not counted again, and a run that goes takes its counts along', async () => {
      const events = stamp({ runId: 'a' }, [unknown('odd'), unknown('odd')]);
      await at.store.append(events);
      await at.store.append(events);
      expect(await at.store.drift()).toMatchObject([{ kind: 'odd', count: 2 }]);
      await at.store.startRun({ runId: 'a', agent: 'fake', startedAt: START, owned: false, replace: true });
      expect(await at.store.drift()).toEqual([]);
      await at.store.append(events);
      await at.store.delete((await at.store.session('a'))?.id ?? '');
      expect(await at.store.drift()).toEqual([]);
    });
  });
}

function marked(snippet: { text: string; marks: [number, number][] } | undefined): string[] {
  return snippet?.marks.map(([from, to]) => snippet.text.slice(from, to)) ?? [];
}
