/** One browser for the tests of the page: the machine's own chromium where there is one, else the one that a package brings. */
import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Served } from '../server/serve.js';

/** Not the package's own: with those the browser checks less, and dies with its first page. */
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let browser: Browser;
const contexts: BrowserContext[] = [];

/** Starts the browser before the tests of a file and closes what they opened. */
export function useBrowser(): void {
  beforeAll(async () => {
    const installed = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find((file) => existsSync(file));
    browser = await chromium.launch({ executablePath: installed ?? (await sparticuz.executablePath()), args: ARGS });
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
  afterAll(async () => browser.close());
}

/** A browser of its own, logged in; whatever goes wrong in its page is collected in `problems`. */
export async function logIn(
  served: Served,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 }, ...options });
  contexts.push(context);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text()))
      problems.push(message.text());
  });
  await page.goto(served.server.createLoginLink());
  return { page, problems };
}

/** Starts a session as a person does; its title is the prompt, as far as that can be shown as it is. */
export async function startSession(page: Page, prompt = 'Fix the failing test', title = prompt): Promise<void> {
  await page.getByRole('option', { name: 'Claude Code' }).waitFor({ state: 'attached' });
  await page.getByLabel('Prompt').fill(prompt);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}
