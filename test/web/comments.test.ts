/** Comments on lines of a session's changes, on the page: written in place, kept, sent as one message; and who made each part. */
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { write } from '../checkpoint/repository.js';
import { toolResult, toolUse } from '../fake-agent/lines.js';
import { LOOKS, overflow, seriousProblems, shoot } from './axe.js';
import { useBrowser } from './browser.js';
import { useOneServer } from './one-server.js';
import { edited, openReview } from './reviewed.js';

useBrowser();
const open = useOneServer({ keepsFiles: async () => true });

const HOSTILE = '<img src=x onerror="window.hacked = 1">\u202egpj.exe';
const lineOf = (page: Page, words: string) => page.locator('.review-line').filter({ hasText: words });
const added = (page: Page, words: string) => page.locator('.review-line.line-add').filter({ hasText: words });
const box = (page: Page, lines: string) => page.getByRole('textbox', { name: `Comment on ${lines}` });
const tray = (page: Page) => page.getByRole('region', { name: 'Comments' });

test('a comment is written below its line, survives a reload half-written, is changed, deleted, and sent with the others', async () => {
  const { page, served, session, root, problems } = await openReview(
    open,
    [[{ files: { 'src/a.ts': edited(5, 40) } }]],
    { 'src/a.ts': edited() },
  );
  await added(page, 'value4 ').locator('.line-comment').click();
  await expect.poll(() => box(page, 'line 5').evaluate((field) => field === document.activeElement)).toBe(true);
  await box(page, 'line 5').fill(`Why another? ${HOSTILE}`);
  await page.getByRole('button', { name: 'Side by side' }).click();
  await page.locator('.review-pair').first().waitFor();
  expect(await box(page, 'line 5').inputValue()).toContain('Why another?');
  await page.getByRole('button', { name: 'Side by side' }).click();
  await page.reload();
  await expect.poll(() => box(page, 'line 5').inputValue()).toBe(`Why another? ${HOSTILE}`);
  await page.getByRole('button', { name: 'one more below' }).click();
  await box(page, 'lines 5 to 6').press('Control+Enter');
  await page.getByRole('article', { name: 'Comment on src/a.ts, lines 5 to 6' }).getByText('not sent').waitFor();
  await page.getByText('Why another? <img src=x onerror="window.hacked = 1">⟨U+202E⟩gpj.exe').waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();

  await added(page, 'value39 ').locator('.line-comment').click();
  await box(page, 'line 40').fill('Second');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await tray(page).getByText('2 comments not sent').waitFor();
  const second = page.getByRole('article', { name: 'Comment on src/a.ts, line 40' });
  await second.getByRole('button', { name: 'Edit' }).click();
  await box(page, 'line 40').fill('Second, better');
  await page.getByRole('button', { name: 'Change comment' }).click();
  await second.getByText('Second, better').waitFor();
  await page.reload();
  await second.getByText('Second, better').waitFor();
  await added(page, 'value39 ').locator('.line-comment').click();
  await box(page, 'line 40').fill('Third');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await tray(page).getByText('3 comments not sent').waitFor();
  await second.filter({ hasText: 'Third' }).getByRole('button', { name: 'Delete' }).click();
  await tray(page).getByText('2 comments not sent').waitFor();

  await page.getByRole('button', { name: 'Send review' }).click();
  await tray(page).getByText('2 comments sent. The agent works at it.').waitFor();
  const { runs } = await served.client.session(session);
  expect(runs).toHaveLength(2);
  expect(runs.at(-1)?.prompt).toContain('I reviewed your changes up to turn 1 and have 2 comments.');
  await second.getByText('its lines are as they were').waitFor();
  expect(await second.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  write(root, { 'src/a.ts': edited(5) });
  await page.reload();
  await tray(page).getByRole('button', { name: '2 comments sent' }).click();
  await tray(page).getByText('its lines are gone').waitFor();
  expect(problems).toEqual([]);
});

test('keys alone: to a line, a comment, and back to the lines; who made each part is said and leads there', async () => {
  const { page } = await openReview(open, (project) => [
    [
      toolUse('t1', 'Write', { file_path: path.join(project, 'made.txt'), content: 'one line\ntwo lines\n' }),
      { files: { 'made.txt': 'one line\ntwo lines\n' } },
      toolResult('t1', 'ok'),
    ],
    [{ files: { 'by.txt': 'by whom\n' } }],
  ]);
  await lineOf(page, 'by whom').waitFor();
  await page.getByText('unknown: during turn 2, without an edit that was told; no command ran').waitFor();
  const made = page.getByRole('link', { name: /^turn 1 · Write of the whole file · / });
  await made.waitFor();

  await page.locator('.review-list').focus();
  await page.keyboard.press('j');
  const focused = page.locator('.line-comment:focus');
  expect(await focused.getAttribute('aria-label')).toBe('Comment on line 1: by whom');
  await page.keyboard.press('j');
  expect(await focused.getAttribute('aria-label')).toBe('Comment on line 1: one line');
  await page.keyboard.press('c');
  await page.keyboard.type('n');
  await page.keyboard.press('Escape');
  expect(await box(page, 'line 1').inputValue()).toBe('n');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Escape');
  await box(page, 'line 1').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.className')).toBe('review-list');
  await made.click();
  await page.getByLabel('Conversation').waitFor();
});

test('a line that is another by now is not commented, and what was written stays', async () => {
  const { page, session, served } = await openReview(open, [[{ files: { 'c.txt': 'first\n' } }]]);
  await added(page, 'first').locator('.line-comment').click();
  await box(page, 'line 1').fill('Why?');
  const { runs } = await served.client.session(session);
  expect(runs).toHaveLength(1);
  await page.route('**/comments', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, json: { error: { code: 'conflict', message: 'Not as they were shown.' } } })
      : route.continue(),
  );
  await page.getByRole('button', { name: 'Add comment' }).click();
  await page.getByRole('alert').getByText('Not as they were shown.').waitFor();
  expect(await box(page, 'line 1').inputValue()).toBe('Why?');
});

test('a list that was asked for earlier and comes later brings nothing back', async () => {
  const { page } = await openReview(open, [[{ files: { 'c.txt': 'first\n' } }]]);
  await added(page, 'first').waitFor();
  const url = page.url();
  // The page that is left may only now ask, and hears nothing more.
  await page.goto('about:blank');
  let comesLate: (() => Promise<void>) | undefined;
  await page.route('**/comments', async (route) => {
    if (comesLate || route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    comesLate = () => route.fulfill({ response });
  });
  await page.goto(url);
  await added(page, 'first').locator('.line-comment').click();
  await expect.poll(() => comesLate).toBeDefined();
  await box(page, 'line 1').fill('Why?');
  await page.getByRole('button', { name: 'Add comment' }).click();
  await tray(page).getByText('1 comment not sent').waitFor();
  const isHeard = page.waitForResponse((response) => response.url().endsWith('/comments'));
  await comesLate?.();
  await (await isHeard).finished();
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  expect(await tray(page).getByText('1 comment not sent').count()).toBe(1);
});

test.each(LOOKS)('$name: axe finds nothing serious on comments, and nothing sticks out', async (look) => {
  const call = [
    toolUse('t1', 'Edit', { file_path: path.join('src', 'a.ts'), old_string: 'value4 =', new_string: 'value4  =' }),
    { files: { 'src/a.ts': edited(5, 40) } },
    toolResult('t1', 'ok'),
  ];
  const { page, served, session } = await openReview(open, [call], { 'src/a.ts': edited() }, look);
  if (look.options.colorScheme)
    await page.emulateMedia({ colorScheme: look.options.colorScheme, reducedMotion: 'reduce' });
  await lineOf(page, 'value4').first().waitFor();
  const [file] = (await served.client.changeLines(session)).files;
  const quote = file?.hunks[0]?.lines.filter((line) => line.startsWith('+')) ?? [];
  await served.client.comment(session, { path: 'src/a.ts', side: 'new', start: 5, end: 5, quote, text: 'Why so?' });
  await page.reload();
  await page.getByText('Why so?').waitFor();
  await added(page, 'value4 ').locator('.line-comment').click();
  await box(page, 'line 5').fill('And this?');
  await tray(page).getByRole('button', { name: '1 comment not sent' }).click();
  await page.locator('.maker').first().waitFor();
  await shoot(page, `comments-${look.name}`);
  expect(await seriousProblems(page, look)).toEqual([]);
  expect(await overflow(page)).toBe(0);
});
