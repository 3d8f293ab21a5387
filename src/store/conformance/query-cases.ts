/** The contract of lists and sums: every filter, page by page, and what was spent. */
import assert from 'node:assert/strict';
import type { LimitWindow } from '../../event/index.js';
import type { ListQuery, Total, TotalsQuery } from '../query.js';
import type { Store } from '../store.js';
import { type Check, HOUR, has, keep, rejects, runIds } from './case.js';
import { START, stamp } from './events.js';

const DAY = 24 * HOUR;

async function fillList(store: Store): Promise<void> {
  await keep(store, { runId: 'old', agent: 'one' }, { prompt: 'Rename the module', usd: 0.1, cwd: '/work/a' });
  await keep(store, { runId: 'mid', agent: 'two', at: START + HOUR }, { prompt: 'Paint', usd: 2, cwd: '/work/a/sub' });
  await keep(store, { runId: 'new', agent: 'one', at: START + 2 * HOUR }, { prompt: 'Cook', cwd: '/work/ab' });
  await store.startRun({ runId: 'live', agent: 'one', startedAt: START + 3 * HOUR, cwd: '/work/b' });
}

const LISTS: [what: string, query: ListQuery, expected: string[]][] = [
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

export const listCases: Check[] = [
  {
    name: 'sessions are found by every filter',
    async run(open) {
      const store = await open();
      await fillList(store);
      for (const [what, query, expected] of LISTS)
        assert.deepEqual(runIds((await store.list(query)).items), expected, what);
    },
  },
  {
    name: 'page by page',
    async run(open) {
      const store = await open();
      await fillList(store);
      const first = await store.list({ limit: 3 });
      assert.deepEqual(runIds(first.items), ['live', 'new', 'mid']);
      assert.ok(first.cursor !== undefined);
      const second = await store.list({ limit: 3, cursor: first.cursor });
      assert.deepEqual(runIds(second.items), ['old']);
      assert.equal(second.cursor, undefined);
      await rejects(store.list({ cursor: 'nonsense' }), 'invalid-request');
    },
  },
];

async function fillTotals(store: Store): Promise<void> {
  await keep(store, { runId: 'a', agent: 'one' }, { usd: 1, model: 'big', cwd: '/a' });
  await keep(store, { runId: 'b', agent: 'one', at: START + DAY }, { usd: 3, model: 'small', cwd: '/b' });
  await keep(store, { runId: 'c', agent: 'two', at: START + DAY }, { model: 'big', cwd: '/b' });
}

const day = (at: number): string => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 10);

const monday = (at: number): string => day(at - ((new Date(at).getDay() + 6) % 7) * DAY);

const TOTALS: [
  by: TotalsQuery['by'],
  expected: [key: string, usd: number | undefined, origin: string | undefined][],
][] = [
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
];

export const totalCases: Check[] = [
  {
    name: 'by every property; a sum with an unknown part is a lower bound',
    async run(open) {
      const store = await open();
      await fillTotals(store);
      const brief = (totals: Total[]) => totals.map(({ key, spent }) => [key, spent?.usd, spent?.origin]);
      for (const [by, expected] of TOTALS) assert.deepEqual(brief(await store.totals({ by })), expected, by);
    },
  },
  {
    name: 'by tool: calls, and the share of the messages that made them',
    async run(open) {
      const store = await open();
      await fillTotals(store);
      const totals = await store.totals({ by: 'tool', agent: 'one' });
      has(totals, [
        { key: 'Bash', calls: 2, failed: 0, sessions: 2, usage: { inputTokens: 120, outputTokens: 20 } },
        { key: '', calls: 0, usage: { inputTokens: 80, outputTokens: 20 } },
      ]);
      const sum = totals.reduce((usd, total) => usd + (total.spent?.usd ?? 0), 0);
      assert.ok(Math.abs(sum - 4) < 0.005, `together they are ${sum}`);
    },
  },
  {
    name: 'by week, which begins on Monday, and by month',
    async run(open) {
      const store = await open();
      await fillTotals(store);
      const keys = async (by: 'week' | 'month') => (await store.totals({ by })).map(({ key }) => key);
      const days = [START, START + DAY];
      assert.deepEqual(await keys('week'), [...new Set(days.map(monday))]);
      assert.deepEqual(await keys('month'), [...new Set(days.map((at) => day(at).slice(0, 7)))]);
    },
  },
  {
    name: 'by session: under the id that people type',
    async run(open) {
      const store = await open();
      await fillTotals(store);
      const ids = await Promise.all(['b', 'a', 'c'].map(async (runId) => (await store.session(runId))?.id));
      const totals = await store.totals({ by: 'session' });
      assert.deepEqual(
        totals.map(({ key, spent }) => [key, spent?.usd]),
        [
          [ids[0], 3],
          [ids[1], 1],
          [ids[2], undefined],
        ],
      );
    },
  },
  {
    name: 'by cause: what was spent for it, which is all of it',
    async run(open) {
      const store = await open();
      await fillTotals(store);
      has(await store.totals({ by: 'cause', agent: 'one' }), [
        { key: 'prompt', spent: { usd: 2.2, origin: 'computed' }, usage: { inputTokens: 120, outputTokens: 20 } },
        { key: 'tool', spent: { usd: 1.8, origin: 'computed' }, usage: { inputTokens: 80, outputTokens: 20 } },
      ]);
    },
  },
  {
    name: 'tokens and sessions are summed, within a time',
    async run(open) {
      const store = await open();
      await fillTotals(store);
      has(await store.totals({ by: 'agent', since: START + DAY }), [
        { key: 'one', sessions: 1, usage: { inputTokens: 100, outputTokens: 20 }, spent: { usd: 3 } },
        { key: 'two', sessions: 1 },
      ]);
    },
  },
];

export const limitCases: Check[] = [
  {
    name: 'each window as its agent told it last; what was not told by windows is not there',
    async run(open) {
      const store = await open();
      const week = { name: 'seven_day', utilization: 0.5, resetsAt: START + DAY };
      const told = (...windows: LimitWindow[]) => ({ type: 'rate-limit', state: 'allowed', windows }) as const;
      const bare = { type: 'rate-limit', state: 'warning', window: 'five_hour', utilization: 0.9 } as const;
      await store.append(
        stamp({ runId: 'a', agent: 'one', at: START + HOUR }, [told({ name: 'five_hour' }, week), bare]),
      );
      await store.append(stamp({ runId: 'b', agent: 'one' }, [told({ name: 'five_hour', utilization: 0.1 })]));
      await store.append(stamp({ runId: 'c', agent: 'two' }, [told({ name: 'five_hour', utilization: 0.2 })]));
      assert.deepEqual(await store.limits(), [
        { agent: 'one', name: 'five_hour', at: START + HOUR + 1000 },
        { agent: 'one', ...week, at: START + HOUR + 1000 },
        { agent: 'two', name: 'five_hour', utilization: 0.2, at: START + 1000 },
      ]);
    },
  },
];

const unknown = (wireType: string, more: object = {}) => ({ type: 'unknown', wireType, bytes: 9, ...more }) as const;
const version = (agentVersion: string) => ({ type: 'session-start', agentVersion }) as const;

export const driftCases: Check[] = [
  {
    name: 'what was not known is counted by agent and version, whenever the version is told',
    async run(open) {
      const store = await open();
      const system = unknown('system', { wireSubtype: 'new' });
      const later = START + HOUR;
      await store.append(stamp({ runId: 'a', agent: 'one' }, [system, version('2.0'), system, unknown('odd')]));
      await store.append(stamp({ runId: 'b', agent: 'one', at: later }, [version('2.0'), system]));
      await store.append(stamp({ runId: 'c', agent: 'one' }, [version('2.1'), unknown('assistant', { field: 'x' })]));
      await store.append(stamp({ runId: 'd', agent: 'two' }, [unknown('odd'), unknown('odd', { count: 1000 })]));
      await keep(store, { runId: 'e', agent: 'two' });
      assert.deepEqual(await store.drift(), [
        { agent: 'two', kind: 'odd', count: 1001, runs: 1, lastAt: START + 2000 },
        { agent: 'one', agentVersion: '2.0', kind: 'system/new', count: 3, runs: 2, lastAt: later + 2000 },
        { agent: 'one', agentVersion: '2.0', kind: 'odd', count: 1, runs: 1, lastAt: START + 4000 },
        { agent: 'one', agentVersion: '2.1', kind: 'assistant', field: 'x', count: 1, runs: 1, lastAt: START + 2000 },
      ]);
      has(await store.drift({ since: later }), [{ kind: 'system/new', count: 1, runs: 1 }]);
    },
  },
  {
    name: 'an event that is sent again is not counted again, and a run that goes takes its counts along',
    async run(open) {
      const store = await open();
      const events = stamp({ runId: 'a' }, [unknown('odd'), unknown('odd')]);
      await store.append(events);
      await store.append(events);
      has(await store.drift(), [{ kind: 'odd', count: 2 }]);
      await store.startRun({ runId: 'a', agent: 'fake', startedAt: START, owned: false, replace: true });
      assert.deepEqual(await store.drift(), []);
      await store.append(events);
      await store.delete((await store.session('a'))?.id ?? '');
      assert.deepEqual(await store.drift(), []);
    },
  },
];
