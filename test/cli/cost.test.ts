/** `glassbox cost`: sums that fit every terminal and always add up, where people stand this week, and what it was spent for. */
import stringWidth from 'fast-string-width';
import { beforeAll, describe, expect, test } from 'vitest';
import { costRows, sumOf } from '../../src/cli/command/cost/cost-table.js';
import { limitRows } from '../../src/cli/command/cost/limit-rows.js';
import { weekAgainstWeek, weekRows } from '../../src/cli/command/cost/week-against-week.js';
import { table } from '../../src/cli/print/table.js';
import { stamp, wholeRun } from '../../src/store/conformance/events.js';
import { openStore, TOTAL_KEYS, type Total, type TotalsQuery } from '../../src/store/index.js';
import { createPaint } from '../../src/view/text/palette.js';
import { newStore, openTerminal } from './fake-run.js';
import { glassbox } from './glassbox.js';

const plain = createPaint(false);
const textOf = (rows: Parameters<typeof table>[0], width?: number) => table(rows, plain, width);

function total(key: string, usd: number, more: Partial<Total> = {}): Total {
  const usage = { inputTokens: 12_345, outputTokens: 6_789, cacheReadTokens: 1_234_567, cacheWriteTokens: 89 };
  return { key, spent: { usd, scope: 'session', origin: 'lower-bound' }, usage, sessions: 12, ...more };
}

describe('the table', () => {
  const names = ['a', 'a-model-with-a-very-long-name-that-nobody-can-read-20991231', '世界世界世界世界世界'];
  const totals = names.map((name, index) => total(name, 1000 / (index + 1), { calls: 3, failed: 1 }));
  const titles = new Map(names.map((name) => [name, `What ${name} was about, in more words than fit`]));

  test.each(TOTAL_KEYS.flatMap((by) => [30, 44, 80, 200].map((width) => [by, width] as const)))(
    'by %s fits %i columns and has the cost',
    (by, width) => {
      const rows = textOf(costRows({ by, totals, all: sumOf(totals), titles, limit: 30, width }), width);
      expect(rows.filter((row) => stringWidth(row) > width)).toEqual([]);
      expect(rows).toHaveLength(names.length + 2);
      expect(rows[1]).toMatch(/at least \$1000\.0000/);
    },
  );

  test('the cache has columns where there is room, and input counts it', () => {
    const rows = textOf(costRows({ by: 'model', totals, all: sumOf(totals), titles, limit: 30 }));
    expect(rows[0]).toMatch(/^model +cost +input +cache read +cache write +output +sessions$/);
    expect(rows[1]).toMatch(/^a +at least \$1000\.0000 +1\.2M +1\.2M +89 +6\.8K +12 +█{24}$/);
  });

  test('tokens that nobody counted are left open, not told as none', () => {
    const rowOf = (usage: Total['usage']) => {
      const totals = [{ key: 'a', usage, sessions: 1 }];
      return textOf(costRows({ by: 'model', totals, all: sumOf(totals), titles, limit: 30 }))[1]?.replace(
        / {2,}/g,
        '|',
      );
    };
    expect(rowOf({ inputTokens: 100 })).toBe('a|unknown|100|1');
    expect(rowOf({ outputTokens: 7 })).toBe('a|unknown|7|1');
    expect(rowOf({ inputTokens: 0, outputTokens: 0 })).toBe('a|unknown|0|0|1');
  });

  test('what is beyond the limit is one row: of days the earlier ones, of others what cost least', () => {
    const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04'].map((key, index) => total(key, index + 1));
    const rows = (by: 'day' | 'project') =>
      textOf(costRows({ by, totals: days, all: sumOf(days), titles, limit: 2 })).map((row) =>
        row.replace(/ {2,}/g, '|'),
      );
    expect(rows('day').map((row) => row.split('|').slice(0, 2))).toEqual([
      ['day', 'cost'],
      ['2 earlier', 'at least $3.0000'],
      ['2026-01-03', 'at least $3.0000'],
      ['2026-01-04', 'at least $4.0000'],
      ['all', 'at least $10.0000'],
    ]);
    expect(rows('project')[3]).toMatch(/^2 more\|at least \$7\.0000/);
  });
});

describe('this week against last', () => {
  // A Wednesday, at half past two.
  const now = new Date(2026, 10, 18, 14, 30).getTime();

  async function compare(spent: readonly [number, number, number], origin: 'reported' | 'lower-bound' = 'reported') {
    const asked: TotalsQuery[] = [];
    const store = {
      totals: async (query: TotalsQuery) => {
        const usd = spent[asked.push(query) - 1] ?? 0;
        return usd === 0 ? [] : [total('x', usd, { spent: { usd, scope: 'session', origin } })];
      },
    };
    const weeks = await weekAgainstWeek(store, { project: '/p' }, now);
    return { asked, rows: textOf(weekRows(weeks)) };
  }

  test('until now, until the same moment, and all of it', async () => {
    const { asked, rows } = await compare([3, 2, 5]);
    const at = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();
    expect(asked.map(({ since, until }) => [since, until])).toEqual([
      [at(16), undefined],
      [at(9), at(11, 14, 30)],
      [at(9), at(16)],
    ]);
    expect(asked.every(({ project }) => project === '/p')).toBe(true);
    expect(rows).toEqual([
      'this week         $3.0000  +50 %',
      'last week by now  $2.0000',
      'last week         $5.0000',
    ]);
  });

  test('what is known only in part is not compared, and nothing is not shown', async () => {
    expect((await compare([3, 2, 5], 'lower-bound')).rows[0]).toBe('this week         at least $3.0000');
    expect((await compare([3, 0, 0])).rows[1]).toBe('last week by now  nothing');
    expect((await compare([0, 0, 0])).rows).toEqual([]);
  });
});

test('limits are told as they were told, until they end', () => {
  const at = Date.UTC(2026, 0, 1);
  const window = { agent: 'claude', at };
  const rows = limitRows(
    [
      { ...window, name: 'five_hour', utilization: 0.123, resetsAt: at + 7_500_000 },
      { ...window, name: 'seven_day', state: 'rejected' },
      { ...window, name: 'own\x1b[2J', state: 'allowed' },
      { ...window, name: 'over', utilization: 1, resetsAt: at },
    ],
    at + 300_000,
  );
  expect(textOf(rows)).toEqual([
    'claude 5 h      12 % used  resets in 2h0m, told 5 min ago',
    'claude week       used up  told 5 min ago',
    'claude own\uFFFD[2J    allowed  told 5 min ago',
  ]);
});

describe('the command', () => {
  const env = { GLASSBOX_STORE: newStore() };
  const ask = (...args: string[]) => glassbox(['cost', '--kept', ...args], '', env);
  // This week, whenever it is.
  const at = mondayOf(new Date());

  beforeAll(async () => {
    const store = await openStore(env.GLASSBOX_STORE);
    for (const [index, usd] of [1, 2, 4].entries())
      await store.append(wholeRun({ runId: `r${index}`, at }, { usd, prompt: `Question ${index}` }));
    const windows = [{ name: 'five_hour', utilization: 0.5, resetsAt: Date.now() + 9_000_000 }];
    await store.append(stamp({ runId: 'l', at }, [{ type: 'rate-limit', state: 'allowed', windows }]));
    await store.close();
  });

  test('by cause: what it was spent for, which is all of it', async () => {
    const { stdout } = await ask('--by=cause');
    expect(stdout).toMatch(/^prompts +about \$3\.8500 +55 % /m);
    expect(stdout).toMatch(/^tool results +about \$3\.1500 +45 % /m);
    expect(stdout).toMatch(/^all +\$7\.0000 +100 % /m);
  });

  test('by session: under its id, with its title', async () => {
    expect((await ask('--by=session')).stdout).toMatch(/^\w{6} +\$4\.0000 .* Question 2$/m);
    const [first] = (await ask('--by=session', '--json')).stdout.split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ by: 'session', title: 'Question 2', spent: { usd: 4 } });
  });

  test('days come with the weeks and the limits; for programs weeks do', async () => {
    const { stdout } = await ask();
    expect(stdout).toMatch(
      /\n\nthis week +\$7\.0000\nlast week by now +nothing\nlast week +nothing\n\nfake 5 h +50 % used +resets in/,
    );
    const lines = (await ask('--by=week', '--json')).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { schema: 1, by: 'week', spent: { usd: 7 } },
      { schema: 1, comparison: { thisWeek: { spent: { usd: 7 } }, lastWeek: { usage: {} } } },
      { schema: 1, limit: { agent: 'fake', name: 'five_hour', utilization: 0.5 } },
    ]);
    expect((await ask('--since=1d')).stdout).not.toContain('this week');
  });

  test('--watch is for terminals: in a pipe it is once, and says so', async () => {
    const { stdout, stderr, status } = await ask('--watch');
    expect(stdout).toContain('$7.0000');
    expect(stderr).toContain('--watch redraws on a terminal');
    expect(status).toBe(0);
  });

  test('--watch redraws when the store changes, and leaves the last table', async () => {
    const screen = openTerminal(['cost', '--kept', '--watch', '--by=model'], [], { env, isAlone: true });
    await screen.shows('Watching for changes');
    const store = await openStore(env.GLASSBOX_STORE);
    await store.append(wholeRun({ runId: 'new', at }, { usd: 0.25 }));
    await store.close();
    await screen.goesOn('$7.2500');
    screen.type('\x03');
    expect(await screen.ended).toBe(0);
    const output = screen.text();
    expect(output.slice(output.lastIndexOf('\x1b[?25h'))).toMatch(/^.*\$7\.2500/m);
    expect(output.slice(output.lastIndexOf('\x1b[?25h'))).not.toContain('Watching');
  });
});

function mondayOf(day: Date): number {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - ((day.getDay() + 6) % 7)).getTime();
}
