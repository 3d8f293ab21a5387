/** What was compared, on the page: each attempt with its numbers, and ways to its session and its changes. */
import { expect, test } from 'vitest';
import { comparisonDirectory, writeComparison } from '../../src/compare/record.js';
import { thisProcess } from '../../src/run/process/reaper.js';
import { wholeRun } from '../../src/store/conformance/events.js';
import { duration } from '../../src/word/index.js';
import { comparedIn } from '../compare/compared.js';
import { LOOKS, overflow, seriousProblems, shoot } from './axe.js';
import { useBrowser } from './browser.js';
import { useOneServer } from './one-server.js';

useBrowser();
const open = useOneServer();

test('the table of a comparison leads to the sessions of its attempts, and text in it is only text', async () => {
  const { page, served, problems } = await open([]);
  await served.store.append(
    wholeRun({ runId: 'c1', agent: 'claude', sessionId: 'c1' }, { prompt: 'Fix the test', cwd: '/work/shop' }),
  );
  const { id = '' } = (await served.store.session('c1')) ?? {};
  await writeComparison(comparisonDirectory(), comparedIn(id), await thisProcess());
  await page.goto(`${served.server.url}/cost`);
  await page.getByRole('link', { name: 'Comparisons of agents' }).click();
  const row = (name: string) => page.getByRole('row', { name });
  await expect
    .poll(() => row('claude').getByRole('cell').allTextContents())
    .toEqual([
      '1',
      'finished',
      'passed',
      'about $0.2500',
      duration(61_000),
      '3',
      '0',
      '2 files +10 -3',
      'It works now.',
    ]);
  expect(await row('codex:some').getByRole('cell').allTextContents()).toEqual([
    ...[
      '2',
      'timed-out',
      'failed (1)',
      'unknown',
      duration(600_000),
      '1',
      '2, 2 refused',
      'nothing',
      'The time was over.',
    ],
  ]);
  await page.getByText('passed 1 of 1, pass@1 100 %, cost about $0.2500').waitFor();
  await page.getByRole('heading', { name: 'Fix the <i>failing</i> test' }).waitFor();
  for (const look of LOOKS) {
    await page.setViewportSize(look.options.viewport);
    await page.emulateMedia({ colorScheme: look.options.colorScheme ?? 'light' });
    await shoot(page, `comparisons-${look.name}`);
    expect(await seriousProblems(page, look)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
  }
  expect(await row('claude').getByRole('link', { name: '2 files' }).getAttribute('href')).toBe(`/s/${id}/changes`);
  await row('claude').getByRole('link', { name: 'claude' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/s/${id}`);
  expect(problems).toEqual([]);
});
