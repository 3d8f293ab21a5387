/** Where a session begins: what the agent has is offered and reaches it, what it has not is not there. */
import { expect, test } from 'vitest';
import { git, write } from '../checkpoint/repository.js';
import { init, result, text } from '../fake-agent/lines.js';
import { LOOKS, overflow, seriousProblems, shoot } from './axe.js';
import { useBrowser } from './browser.js';
import { useOneServer } from './one-server.js';
import { scriptedAgent } from './serve-page.js';

useBrowser();
const open = useOneServer({ agents: async () => [scriptedAgent(), scriptedAgent('gemini'), scriptedAgent('amp')] });

const NASTY = '<img src=x onerror=window.hacked=1>\u202e.md';
const SCRIPT = [init({ slash_commands: ['review', `compact${NASTY}`] }), text('Done.'), result('Done.')];

/** What of the heading, but for its title, has no room. */
const HEAD_CUT = `[...document.querySelectorAll('.session-head-text p, .session-head-text p span')]
  .filter((one) => getComputedStyle(one).overflow !== 'visible')
  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
  .map((one) => one.textContent)`;

test('/ offers commands, @ files of the folder, the arrow what was said before, and the keys choose', async () => {
  const { page, served, problems } = await open(SCRIPT);
  write(served.project, { 'src/cost.ts': '', 'src/costume.ts': '', [`cost ${NASTY}`]: '' });
  const { runId } = await served.client.start({ agent: 'claude', prompt: 'Said before' });
  for await (const _ of served.client.events(runId));
  await page.reload();
  await page.getByText('/ commands').waitFor();
  const prompt = page.getByLabel('Prompt');
  await prompt.pressSequentially('/rev');
  await expect.poll(() => page.locator('.offered').allTextContents()).toEqual(['/review']);
  await prompt.press('Tab');
  await expect.poll(() => prompt.inputValue()).toBe('/review ');
  await prompt.pressSequentially('@cost');
  await expect.poll(() => page.locator('.offered > div').count()).toBe(3);
  expect(await page.locator('.offered').textContent()).toContain('⟨U+202E⟩');
  await prompt.press('ArrowDown');
  await expect.poll(() => page.locator('.offered [aria-selected="true"]').textContent()).toBe('costume.tssrc');
  await prompt.press('Enter');
  await expect.poll(() => prompt.inputValue()).toBe('/review @src/costume.ts ');
  await prompt.pressSequentially('@x');
  await prompt.press('Escape');
  await prompt.fill('');
  await prompt.press('ArrowUp');
  await expect.poll(() => prompt.inputValue()).toBe('Said before');
  await prompt.press('ArrowDown');
  await expect.poll(() => prompt.inputValue()).toBe('');
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('model, effort, permission, limits and a work tree reach the run, and its heading tells how far it may go', async () => {
  const { page, served, problems } = await open([init(), text('Thinking.'), { hear: 'what nobody says' }]);
  git(served.project, 'init', '-q');
  git(served.project, 'commit', '-q', '--allow-empty', '-m', 'first');
  await page.getByRole('option', { name: 'Claude Code' }).waitFor({ state: 'attached' });
  await page.getByText('It has listed none: any that it knows.').waitFor();
  await page.getByLabel('Model').fill('m-2');
  await page.getByLabel('Effort').selectOption('xhigh');
  await page.getByLabel('Permission').selectOption('plan');
  await page.getByText('Nothing is changed until you agree to its plan.').waitFor();
  await page.getByText('Limits and work tree').click();
  await page.getByLabel('Budget in $').fill('1.5');
  await page.getByLabel('Time in minutes').fill('10');
  await page.getByLabel('Turns').fill('7');
  await page.getByLabel('In a work tree of its own').check();
  await page.getByText('at most $1.5 · 10 min · 7 turns · own work tree').waitFor();
  await page.getByLabel('Prompt').fill('Plan it');
  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/runs'));
  await page.getByRole('button', { name: 'Start' }).click();
  expect((await asked).postDataJSON()).toMatchObject({
    budgetUsd: 1.5,
    timeoutMs: 600_000,
    maxTurns: 7,
    worktree: true,
  });
  await page.getByRole('heading', { name: 'Plan it', level: 1 }).waitFor();
  const { items } = await served.store.list();
  const limits = { budgetUsd: 1.5, timeoutMs: 600_000, maxTurns: 7 };
  expect(items[0]?.runs[0]).toMatchObject({ terms: { permission: 'plan', model: 'm-2', effort: 'xhigh', limits } });
  await page.getByText(/ s of 10m0s · at most \$1\.5 · at most 7 turns · /).waitFor();
  expect(items[0]?.cwd).not.toBe(served.project);
  for (const width of [1440, 820, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(HEAD_CUT), `the heading is whole at ${width}`).toEqual([]);
  }
  expect(problems).toEqual([]);
});

test('what the agent cannot do is not offered', async () => {
  const { page } = await open([]);
  await page.getByRole('option', { name: 'Claude Code' }).waitFor({ state: 'attached' });
  const permissions = () => page.getByLabel('Permission').getByRole('option').allTextContents();
  await expect.poll(permissions).toContain('Ask me');
  await page.getByLabel('Agent').selectOption('gemini');
  await expect
    .poll(permissions)
    .toEqual([
      'Edit files freely, deny the rest',
      'Only plan',
      'Deny what needs asking',
      'Allow everything (not allowed here)',
    ]);
  await expect.poll(() => page.getByLabel('Permission').inputValue()).toBe('deny');
  await page.getByText(/^Limits/).click();
  await page.getByLabel('Budget in tokens').waitFor();
  expect(await page.getByLabel('Effort').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Attach/ }).count()).toBe(0);
  await page.getByLabel('Agent').selectOption('amp');
  await expect.poll(() => page.getByLabel('Model').count()).toBe(0);
  await page.getByRole('button', { name: 'Attach pictures' }).waitFor();
});

test('with workers the work goes to one that has the labels, and what becomes of it is told', async () => {
  const { page, served, problems } = await open([]);
  const offer = { name: `w ${NASTY}`, labels: ['gpu'], projects: ['shop'], agents: ['gemini'], capacity: 2, busy: 0 };
  await served.client.claimJob({ ...offer, waitMs: 0 });
  await page.reload();
  await page.getByLabel('Machine').selectOption({ label: 'Any worker' });
  await expect.poll(() => page.getByLabel('Project').inputValue()).toBe('shop');
  await page.getByLabel('gpu').check();
  await expect.poll(() => page.getByLabel('Agent').inputValue()).toBe('gemini');
  expect(await page.getByLabel('Folder').count()).toBe(0);
  await page.getByLabel('Prompt').fill('Train it');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Waits for a worker' }).waitFor();
  const { job } = await served.client.claimJob({ ...offer, waitMs: 5000 });
  expect(await served.client.job(job?.id ?? '')).toMatchObject({ labels: ['gpu'] });
  expect(job).toMatchObject({ project: 'shop', spec: { agent: 'gemini', prompt: 'Train it' } });
  const reason = `No such project ${NASTY}`;
  await served.client.tellJob(job?.id ?? '', { type: 'refuse', fence: job?.fence ?? 0, reason });
  await page.getByRole('heading', { name: 'No worker took it' }).waitFor();
  await page.getByText('No such project <img').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Prompt').waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test.each(LOOKS)('S4-19 $name: the start fits and axe finds nothing, also while something is offered', async (look) => {
  const { page, served } = await open(SCRIPT);
  write(served.project, { 'src/cost.ts': '', 'a/folder/with/a/rather/long/name/that/does/not/fit/cost.ts': '' });
  await page.setViewportSize(look.options.viewport);
  await page.emulateMedia({ colorScheme: look.options.colorScheme ?? 'light' });
  await page.goto(`${served.server.url}/new`);
  await page.getByText(/^Limits/).click();
  await shoot(page, `start-${look.name}`);
  expect(await seriousProblems(page, look)).toEqual([]);
  await page.getByLabel('Prompt').pressSequentially('Read @cost');
  await page.locator('.offered').waitFor();
  await shoot(page, `start-offered-${look.name}`);
  expect(await seriousProblems(page, look)).toEqual([]);
  expect(await overflow(page)).toBeLessThanOrEqual(0);
});
