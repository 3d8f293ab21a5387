/** One browser for the tests of the page: the one that a package brings, or that of GLASSBOX_TEST_BROWSER. */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterEach, beforeAll, vi } from 'vitest';
import type { Served } from '../server/serve.js';
import { PATIENCE_MS } from '../support/patience.js';

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

let browser: Browser | undefined;
const contexts: BrowserContext[] = [];

/** Has a browser before the tests of a file, and closes what they opened. It stays for the files that come after, and ends with their process. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (!browser?.isConnected()) browser = await launch();
  });
  afterEach(async () => {
    for (const context of contexts.splice(0)) await context.close();
  });
}

async function launch(): Promise<Browser> {
  const executablePath = process.env.GLASSBOX_TEST_BROWSER ?? (await packagedBrowser());
  return chromium.launch({ executablePath, args: ARGS, timeout: PATIENCE_MS });
}

/**
 * The package unpacks itself into the temporary directory, for seconds and without asking whether somebody else is just doing so: the
 * process that makes the folder does it for all.
 */
async function packagedBrowser(): Promise<string> {
  const folder = path.join(tmpdir(), 'browser');
  const told = path.join(folder, 'executable');
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    const executable = await unpackInto(folder);
    writeFileSync(`${told}.new`, executable);
    renameSync(`${told}.new`, told);
  }
  await vi.waitUntil(() => existsSync(told), { timeout: 2 * PATIENCE_MS });
  return readFileSync(told, 'utf8');
}

async function unpackInto(folder: string): Promise<string> {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return await sparticuz.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

/** A browser of its own, logged in. */
export async function logIn(served: Served, options: BrowserContextOptions = {}): Promise<Visit> {
  return enter(await visitServer(options), served);
}

/** Logged in by a link, as a person does. */
export async function enter(visit: Visit, served: Served): Promise<Visit> {
  const isIn = visit.page.waitForResponse((response) => response.url().endsWith('/api/sessions/stream'));
  // Not by way of the proxy that the link may name: there is none.
  const { pathname, hash } = new URL(await served.server.createLoginLink());
  await visit.page.goto(`${served.server.url}${pathname}${hash}`);
  await isIn;
  return visit;
}

export interface Visit {
  page: Page;
  /** Whatever goes wrong in it. */
  problems: string[];
}

/** A browser of its own that nobody knows. */
export async function visitServer(options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await newContext(options);
  contexts.push(context);
  return newPage(context);
}

/** What a browser remembers; closed by who wants it. Nothing moves for its own sake, which would be a fifth of a browser's work. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  if (!browser) throw new Error('Say useBrowser() first.');
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  // Playwright's own bounds are for quick machines.
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

export async function newPage(context: BrowserContext): Promise<Visit> {
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
  return { page, problems };
}

/** Starts a session as a person does; its title is the prompt, as far as that can be shown as it is. */
export async function startSession(page: Page, prompt = 'Fix the failing test', title = prompt): Promise<void> {
  await page.getByRole('option', { name: 'Claude Code' }).waitFor({ state: 'attached' });
  await page.getByLabel('Prompt').fill(prompt);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: title, level: 1 }).waitFor();
}
