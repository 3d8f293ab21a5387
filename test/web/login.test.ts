/** How a person logs in, again and elsewhere, and what is there afterwards. */
import { expect, test } from 'vitest';
import { codeIn } from '../../src/proof/index.js';
import { answer } from '../fake-agent/lines.js';
import { logIn, startSession, useBrowser, visitServer } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

const outside = { name: 'This browser is not logged in' };

test('a browser that is not logged in is told how, sees nothing, and comes in with a code or a link', async () => {
  const served = await servePage([]);
  const { page, problems } = await visitServer();
  await page.goto(served.server.url);
  await page.getByRole('heading', outside).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
  await page.getByText('glassbox serve --link').waitFor();
  await page.getByLabel('Link or code').fill('too short');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('twelve letters and digits').waitFor();

  const link = await served.server.createLoginLink();
  await page.getByLabel('Link or code').fill((codeIn(link) ?? '').toLowerCase());
  await page.keyboard.press('Enter');
  await page.getByLabel('Prompt').waitFor();
  expect(page.url()).toBe(`${served.server.url}/`);
  expect(problems).toEqual([]);
});

test('a link is opened where the page is already, also by a browser that is in', async () => {
  const served = await servePage([]);
  const { page } = await visitServer();
  await page.goto(`${served.server.url}/`);
  await page.getByRole('heading', outside).waitFor();
  await page.goto(await served.server.createLoginLink());
  await page.getByText('No sessions yet').waitFor();
  const link = await served.server.createLoginLink();
  await page.goto(link);
  await page.waitForURL(`${served.server.url}/`);
  await page.getByLabel('Prompt').waitFor();
  const { page: other } = await visitServer();
  await other.goto(link);
  await other.getByLabel('Prompt').waitFor();
});

test('a link that was used leads a browser that is in to the page, and the others to help', async () => {
  const served = await servePage([]);
  const link = await served.server.createLoginLink();
  const { page: own } = await visitServer();
  await own.goto(link);
  await own.getByText('No sessions yet').waitFor();
  expect(own.url()).not.toContain('login');
  await own.goto('about:blank');
  await own.goto(link);
  await own.getByLabel('Prompt').waitFor();

  const { page: other } = await visitServer();
  await other.goto(link);
  await other.getByRole('heading', outside).waitFor();
  await other.getByText('This link or code does not work: it was used already').waitFor();
  await other.goto(`${served.server.url}/login?code=of-an-older-glassbox`);
  await other.getByRole('heading', outside).waitFor();
});

test('a browser that is in makes a link for another one, and logs it out', async () => {
  const served = await servePage([]);
  const { page } = await logIn(served, { permissions: ['clipboard-read', 'clipboard-write'] });
  await page.getByRole('button', { name: 'Open in another browser' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open in another browser' });
  const link = (await dialog.getByText('#login=').textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
  await dialog.getByText(codeIn(link) ?? 'none', { exact: true }).waitFor();

  const { page: other } = await visitServer({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' });
  await other.goto(link);
  await other.getByText('No sessions yet').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Open in another browser' }).click();
  await dialog.getByLabel('Forget Firefox on Linux').click();
  await dialog.getByLabel('Forget Firefox on Linux').waitFor({ state: 'detached' });
  await other.reload();
  await other.getByRole('heading', outside).waitFor();
});

test('a half-written prompt and message are there after logging in again', async () => {
  const served = await servePage(answer('Here you are.'));
  const { page } = await logIn(served);
  await startSession(page, 'Begin');
  await page.getByLabel('Message to the agent').fill('Half a message');
  const address = page.url();
  await page.goto(`${served.server.url}/new`);
  await page.getByLabel('Prompt').fill('Half a prompt');
  const [own] = await served.client.browsers();
  await served.client.forgetBrowser(own?.id ?? '');
  await page.reload();
  await page.getByRole('heading', outside).waitFor();

  await page.goto(await served.server.createLoginLink());
  await page.locator('.session-entry', { hasText: 'Begin' }).waitFor();
  await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('Half a prompt');
  await page.goto(address);
  await page.getByText('Here you are.').waitFor();
  await expect.poll(() => page.getByLabel('Message to the agent').inputValue()).toBe('Half a message');
});

test('an agent that asks for nothing cannot be chosen where that is not allowed', async () => {
  const served = await servePage([]);
  const { page } = await logIn(served);
  const choice = page.getByRole('option', { name: /^Allow everything/ });
  await choice.waitFor({ state: 'attached' });
  expect(await choice.isDisabled()).toBe(true);
});
