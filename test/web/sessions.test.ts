/** The list of sessions: filtered in the words of the command line, grouped, named, kept, copied and deleted. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { wholeRun } from '../../src/store/conformance/events.js';
import type { Store } from '../../src/store/index.js';
import { git, write } from '../checkpoint/repository.js';
import { init, inSession, result, text } from '../fake-agent/lines.js';
import { LOOKS, overflow, seriousProblems, shoot } from './axe.js';
import { logIn, useBrowser } from './browser.js';
import { useOneServer } from './one-server.js';
import { servePage } from './serve-page.js';

useBrowser();
const open = useOneServer();

const NASTY = '<img src=x onerror="window.hacked=1">\u202e';

/** Three that ended: cheap and good, dear and failed, and one of another agent in a folder with a hostile name. */
async function keepThree(store: Store): Promise<void> {
  const keep = async (id: string, agent: string, prompt: string, facts: { usd: number; cwd: string }) => {
    await store.append(wholeRun({ runId: id, agent, sessionId: id, at: Date.now() - 60_000 }, { prompt, ...facts }));
  };
  await keep('r1', 'claude', 'Explain it', { usd: 0.01, cwd: '/work/one' });
  await keep('r2', 'claude', 'Break it', { usd: 3, cwd: '/work/one/deep' });
  await keep('r3', 'codex', 'Mend it', { usd: 0.5, cwd: `/work/${NASTY}` });
}

const titles = (page: Page) => page.locator('.session-entry .session-title .cut').allTextContents();

test('chips are the flags of the command line, stand in the address, and stay while one goes on', async () => {
  const served = await servePage([]);
  await keepThree(served.store);
  const { page, problems } = await logIn(served);
  await page.locator('.session-entry').nth(2).waitFor();
  await page.getByLabel('Filter and group').first().click();
  await page.locator('.filter-form').getByLabel('agent').selectOption('claude');
  await expect.poll(() => titles(page)).toEqual(expect.arrayContaining(['Explain it', 'Break it']));
  await expect.poll(async () => (await titles(page)).length).toBe(2);
  await page.getByLabel('min-cost').fill('1');
  await page.getByLabel('min-cost').press('Enter');
  await expect.poll(() => titles(page)).toEqual(['Break it']);
  await expect.poll(() => new URL(page.url()).search).toBe('?agent=claude&min-cost=1');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Break it' }).click();
  await page.getByRole('heading', { name: 'Break it', level: 1 }).waitFor();
  await expect.poll(() => page.url()).toMatch(/\/s\/\w+\?agent=claude&min-cost=1$/);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(['Break it']);
  await page.getByRole('button', { name: 'agent claude' }).click();
  await page.getByRole('button', { name: 'min-cost 1' }).click();
  await expect.poll(async () => (await titles(page)).length).toBe(3);
  await page.goBack();
  await expect.poll(() => titles(page)).toEqual(['Break it']);
  await page.goto(`${served.server.url}/?project=/work/one&since=nonsense&state=odd&outcome=failed`);
  await page.getByText('No session is like this.').waitFor();
  await expect
    .poll(() => page.getByRole('list', { name: 'Filters' }).getByRole('button').allTextContents())
    .toEqual(['project /work/one', 'outcome failed']);
  await page.getByText('Not looked for. state is one of running, waiting, ended, not odd.').waitFor();
  const moment = page.getByRole('note').filter({ hasText: 'since: Write a day as 2026-01-31' });
  await moment.getByText('not nonsense.').waitFor();
  await moment.getByRole('button', { name: 'take away' }).click();
  await moment.waitFor({ state: 'detached' });
  expect(problems).toEqual([]);
});

test('a run in a work tree stands under the project that it was made from, and says in which work tree it is', async () => {
  const { page, served, play } = await open([]);
  git(served.project, 'init', '-q');
  write(served.project, { 'a.txt': 'a' });
  git(served.project, 'add', '-A');
  git(served.project, 'commit', '-qm', 'first');
  await page.getByLabel('Filter and group').first().click();
  await page.getByLabel('group by').selectOption('project');
  for (const [prompt, worktree] of [
    ['In the project', false],
    ['In a work tree', true],
  ] as const) {
    play(inSession(prompt, [init(), text('Well.'), result('Well.')]));
    const { runId } = await served.client.start({ agent: 'claude', prompt, worktree });
    for await (const _ of served.client.events(runId));
  }
  const group = page.getByRole('region', { name: served.project, exact: true });
  await expect
    .poll(async () => (await group.locator('.session-title .cut').allTextContents()).sort())
    .toEqual(['In a work tree', 'In the project']);
  await group.getByText(/ · work tree [2-9a-z]{6} · /).waitFor();
  expect(await page.locator('.group-name').count()).toBe(1);
});

test('grouped by project; named, kept, and several deleted after a question', async () => {
  const served = await servePage([]);
  await keepThree(served.store);
  const { page, problems } = await logIn(served);
  await page.getByLabel('Filter and group').first().click();
  await page.getByLabel('group by').selectOption('project');
  await page.getByRole('heading', { name: 'deep', level: 2 }).waitFor();
  await page.getByRole('heading', { name: '<img src=x onerror="window.hacked=1">⟨U+202E⟩' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.session-entry', { hasText: 'Explain it' }).click();
  const more = page.locator('.session-actions').getByLabel('More');
  await more.click();
  await page.getByRole('button', { name: 'Rename…' }).click();
  await page.getByLabel('Name of the session').fill(`Named ${NASTY}`);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Named <img', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Pin: never pruned' }).click();
  await page.getByRole('heading', { name: 'Pinned', level: 2 }).waitFor();
  await page.getByLabel('Filter and group').first().click();
  await page.getByLabel('group by').selectOption('none');
  // Below the pinned ones the others would look pinned too.
  await page.getByRole('heading', { name: 'Others', level: 2 }).waitFor();
  await page.keyboard.press('Escape');
  await more.click();
  await expect.poll(() => served.store.session('r1')).toMatchObject({ pinned: true });
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Choose several' }).click();
  await page.getByLabel('Choose Break it').check();
  await page.getByLabel('Choose Mend it').check();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByText('Delete 2 sessions for ever?').waitFor();
  expect((await served.store.list()).items).toHaveLength(3);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => titles(page)).toHaveLength(1);
  await expect.poll(async () => (await served.store.list()).items).toHaveLength(1);
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(problems).toEqual([]);
});

test('what is archived is listed apart, one or several, and comes back', async () => {
  const served = await servePage([]);
  await keepThree(served.store);
  const { page, problems } = await logIn(served);
  await page.getByRole('link', { name: /Explain it/ }).click();
  await page.locator('.session-actions').getByLabel('More').click();
  const heights = await page
    .locator('.session-actions .menu-items > button')
    .evaluateAll((items) => [...new Set(items.map(({ clientHeight }) => clientHeight))]);
  expect(heights, 'each on one line').toHaveLength(1);
  await page.getByRole('button', { name: 'Archive: listed apart' }).click();
  await page.locator('.session-head-facts', { hasText: 'archived' }).waitFor();
  await expect.poll(async () => (await titles(page)).toSorted()).toEqual(['Break it', 'Mend it']);
  await page.getByRole('button', { name: 'Bring back from the archive' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Choose several' }).click();
  await page.getByLabel('Choose Break it').check();
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  await expect.poll(() => titles(page)).toEqual(['Mend it']);
  await page.getByLabel('Filter and group').first().click();
  await page.locator('.filter-form').getByLabel('archived').check();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await titles(page)).toSorted()).toEqual(['Break it', 'Explain it']);
  expect(new URL(page.url()).searchParams.get('archived')).toBe('yes');
  expect((await served.store.list({ archived: true })).items).toHaveLength(2);
  await page.getByRole('button', { name: 'Choose several' }).click();
  for (const name of ['Break it', 'Explain it']) await page.getByLabel(`Choose ${name}`).check();
  await page.getByRole('button', { name: 'Bring back', exact: true }).click();
  await page.getByText('No session is like this.').waitFor();
  await page.getByRole('button', { name: 'archived' }).click();
  await expect.poll(() => titles(page)).toHaveLength(3);
  expect(problems).toEqual([]);
});

test('what has ended goes on as before, under another permission and model, or as a copy', async () => {
  const served = await servePage(inSession('a1', [init(), text('Done so.'), result('fine')]));
  await served.client.start({ agent: 'claude', prompt: 'First' });
  const { page, problems } = await logIn(served);
  await page.locator('.session-entry', { hasText: 'First' }).click();
  await page.getByText('Goes on as before').click();
  await page.getByLabel('Permission').selectOption('plan');
  await page.getByLabel('Model').fill('other-1');
  await page.getByLabel('Message to the agent').fill('Second');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByLabel('Conversation').getByText('Second').waitFor();
  await expect
    .poll(async () => (await served.store.session('a1'))?.runs.map(({ terms }) => terms?.permission))
    .toEqual(['ask', 'plan']);
  expect((await served.store.session('a1'))?.runs.at(-1)?.terms?.model).toBe('other-1');
  await page.getByText('Goes on as before').waitFor();
  const before = page.url();
  await page.locator('.session-actions').getByLabel('More').click();
  await page.getByRole('button', { name: 'Fork: go on with a copy…' }).click();
  await page.getByLabel('What the copy shall do').fill('Third');
  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  await expect.poll(() => page.url()).not.toBe(before);
  expect(problems).toEqual([]);
});

test.each(LOOKS)(
  'S4-19 $name: the list folds, is a drawer where there is little room, and axe finds nothing',
  async (look) => {
    const { name, options } = look;
    const served = await servePage([]);
    await keepThree(served.store);
    const { page } = await logIn(served, options);
    const list = page.getByRole('navigation', { name: 'Sessions' });
    if (name === 'dark') {
      await page.getByRole('heading', { name: 'What shall be done?' }).waitFor();
      expect(await list.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Show the list' }).click();
      await list.waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => list.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Show the list' }).click();
      await list.waitFor();
      // Beside the list, on what lies behind it.
      await page.mouse.click(700, 600);
      await expect.poll(() => list.isVisible()).toBe(false);
      // In a wide window it is there, whatever was done in a narrow one.
      await page.setViewportSize({ width: 1280, height: 800 });
      await list.waitFor();
      await page.setViewportSize(options.viewport);
      await expect.poll(() => list.isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Show the list' }).click();
    }
    await page.locator('.session-entry', { hasText: 'Mend it' }).waitFor();
    await page.getByLabel('Filter and group').first().click();
    await page.getByLabel('group by').selectOption('host');
    await shoot(page, `sessions-${name}`);
    expect(await seriousProblems(page, look)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.session-entry', { hasText: 'Mend it' }).click();
    await page.getByRole('heading', { name: 'Mend it', level: 1 }).waitFor();
    if (name === 'light') await page.getByRole('button', { name: 'Hide the list' }).click();
    await expect.poll(() => list.isVisible()).toBe(false);
    await page.locator('.session-actions').getByLabel('More').click();
    await shoot(page, `session-menu-${name}`);
    expect(await seriousProblems(page, look)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  },
);
