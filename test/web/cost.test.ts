/** What was spent, and what for: of the sessions that are filtered for, by any property, with what is not counted. */
import { expect, test } from 'vitest';
import { wholeRun } from '../../src/store/conformance/events.js';
import type { SessionRecord, Store } from '../../src/store/index.js';
import { notCounted } from '../../src/view/web/chart/not-counted.js';
import { periodsUntil, periodText } from '../../src/view/web/chart/period.js';
import { ask, init, result, toolUse } from '../fake-agent/lines.js';
import { untilAsked } from './asking.js';
import { LOOKS, overflow, seriousProblems, shoot } from './axe.js';
import { useBrowser } from './browser.js';
import { useOneServer } from './one-server.js';

useBrowser();
const open = useOneServer();

const NASTY = '<img src=x onerror="window.hacked=1">\u202e';
const MODEL = 'a-provider/with-a-very-long-name-of-a-model-that-nobody-can-remember-2026-11-17';
const DAY_MS = 86_400_000;

/** Three that cost something, one of them a month ago, and one that told nothing. */
async function keepFour(store: Store): Promise<void> {
  const keep = async (
    id: string,
    agent: string,
    facts: { prompt: string; usd?: number; cwd: string; days?: number },
  ) => {
    const { days = 0, ...said } = facts;
    await store.append(wholeRun({ runId: id, agent, sessionId: id, at: Date.now() - days * DAY_MS - 60_000 }, said));
  };
  await keep('r1', 'claude', { prompt: 'Explain it', usd: 0.25, cwd: '/work/one' });
  await keep('r2', 'claude', { prompt: `Break ${NASTY}`, usd: 3, cwd: '/work/one/deep' });
  await keep('r3', 'codex', { prompt: 'Mend it', usd: 0.5, cwd: `/work/${NASTY}`, days: 40 });
  await keep('r4', 'amp', { prompt: 'Say nothing', cwd: '/work/one' });
}

test('sums, drilled down to sessions, are those of the command line, and what is not counted is told with the reason', async () => {
  const { page, served, problems } = await open([]);
  await keepFour(served.store);
  await page.goto(`${served.server.url}/cost`);
  await page.getByText('at least $3.7500 in 4 sessions').waitFor();
  const row = (heading: string) =>
    page.locator('.bar-list', { has: page.getByRole('heading', { name: heading, exact: true }) });
  await expect.poll(() => row('By agent').getByRole('link').allTextContents()).toEqual(['claude', 'codex', 'amp']);
  await page.getByText('amp 1 session: only tokens were told, and no price of the model is known').waitFor();
  const causes = await served.store.totals({ by: 'cause' });
  expect(causes.reduce((sum, { spent }) => sum + (spent?.usd ?? 0), 0)).toBeCloseTo(3.75, 9);
  await expect.poll(() => row('What for').locator('.bar-name').allTextContents()).toEqual(['prompts', 'tool results']);
  await page.getByText('What the names mean').click();
  await page.getByText('calls that answer what somebody said').waitFor();

  await row('By agent').getByRole('link', { name: 'codex' }).click();
  await page.getByText('$0.5000 in 1 session · agent codex').waitFor();
  await expect.poll(() => page.locator('.session-entry').count()).toBe(1);
  await page.goBack();
  await page.getByLabel('Time').selectOption('30 days');
  await page.getByText('at least $3.2500 in 3 sessions · since 30d').waitFor();
  await page.getByText('Months', { exact: true }).click();
  await page.getByText('Each month in figures').click();
  const months = page.locator('.period-list li');
  await months.first().waitFor();
  expect(await months.count()).toBeLessThanOrEqual(2);
  await months.first().getByRole('link').click();
  await expect.poll(() => new URL(page.url()).searchParams.get('until')).toMatch(/^\d{4}-\d\d-01$/);
  await page.goto(`${served.server.url}/cost`);
  await row('By session').getByRole('link', { name: 'Break <img' }).click();
  await page.getByRole('heading', { name: 'Break <img', level: 1 }).waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('a session that is under way, and one that was killed, say that they are, and not that their model has no price', async () => {
  const { page, served, play } = await open([]);
  const input = { command: 'make' };
  play([init(), toolUse('t', 'Bash', input), ask('q', 't', 'Bash', input), { hear: '"q"' }, result('made')]);
  const { runId } = await served.client.start({ agent: 'claude', prompt: 'Make it' });
  await untilAsked(served.store, runId);
  const whole = wholeRun({ runId: 'killed', agent: 'claude', sessionId: 'killed', at: Date.now() });
  const untold = whole.filter(({ type }) => type !== 'turn-end');
  await served.store.append(
    untold.map((event) => (event.type === 'run-end' ? { ...event, reason: 'crashed' } : event)),
  );

  await page.goto(`${served.server.url}/cost`);
  await expect
    .poll(async () => (await page.locator('.left-out li').allTextContents()).sort())
    .toEqual([
      'claude 1 session: still under way, and no price was told yet',
      'claude 1 session: stopped or killed before a price was told',
    ]);
});

test('nothing that is filtered for cost anything: that is said', async () => {
  const { page, served } = await open([]);
  await page.goto(`${served.server.url}/cost?agent=amp`);
  await page.getByRole('heading', { name: 'Nothing was spent on these' }).waitFor();
  await page.getByText('There are no sessions.').waitFor();
});

test.each(LOOKS)('S4-19 $name: costs fit with long names, and axe finds nothing', async (look) => {
  const { page, served } = await open([]);
  await keepFour(served.store);
  const at = Date.now() - 3 * DAY_MS;
  await served.store.append(wholeRun({ runId: 'r5', agent: 'pi', sessionId: 'r5', at }, { usd: 1, model: MODEL }));
  await page.setViewportSize(look.options.viewport);
  await page.emulateMedia({ colorScheme: look.options.colorScheme ?? 'light' });
  await page.goto(`${served.server.url}/cost`);
  await page.getByRole('heading', { name: 'What is not counted' }).waitFor();
  await page.getByText(MODEL).first().waitFor();
  await shoot(page, `cost-${look.name}`);
  expect(await seriousProblems(page, look)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});

test('what is counted in part says why: it goes on, was killed, or told no more', () => {
  const atLeast = { usd: 1, scope: 'session', origin: 'lower-bound' } as const;
  const reasons = (facts: object, outcome?: string) => {
    const record = { agent: 'pi', state: 'ended', spent: atLeast, usage: { inputTokens: 1 }, turns: 2, toolCalls: 0 };
    const runs = [{ spent: { ...atLeast, origin: 'reported' } }, { spent: atLeast, outcome }];
    return notCounted([{ ...record, runs, ...facts } as SessionRecord]).map(({ text: words }) => words);
  };
  expect(reasons({ state: 'waiting' })).toEqual([
    '1 session: still under way; counted with at least what was told so far',
  ]);
  for (const outcome of ['cancelled', 'crashed', 'interrupted'])
    expect(reasons({}, outcome)).toEqual([
      '1 session: stopped or killed in the midst of a turn; counted with at least what was told before',
    ]);
  expect(reasons({}, 'finished')).toEqual(['1 session: counted with at least what was told; a part is not known']);
  expect(reasons({ spent: { ...atLeast, origin: 'reported' } }, 'cancelled')).toEqual([]);
});

test('days, weeks and months in a row leave none out', () => {
  const bounds = { fewest: 3, most: 5 };
  expect(periodsUntil(['2026-02-27', '2026-03-02'], 'day', bounds)).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ]);
  expect(periodsUntil(['2026-01-05'], 'week', bounds)).toEqual(['2025-12-22', '2025-12-29', '2026-01-05']);
  expect(periodsUntil(['2025-01', '2026-01'], 'month', bounds)).toEqual([
    '2025-09',
    '2025-10',
    '2025-11',
    '2025-12',
    '2026-01',
  ]);
  expect(periodText('2025-12-29', 'week', '2026-01-05')).toBe('Dec 29, 2025 – Jan 4');
});
