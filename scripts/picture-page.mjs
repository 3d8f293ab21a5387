// @ts-check
/** Takes `docs/page.png`: the real server and page in a browser, with the demo's agent at work. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';
import { bundleIfChanged } from './build.mjs';
import { main, root, say } from './process.mjs';

const prompts = ['Explain how the cache works', 'Write a test for the parser', 'Fix the failing tests'];

await main(import.meta.url, async () => {
  await bundleIfChanged();
  const { startServer } = await import(new URL('dist/server.js', root).href);
  const { openStore } = await import(new URL('dist/store.js', root).href);
  const home = mkdtempSync(join(tmpdir(), 'glassbox-picture-'));
  const project = join(home, 'shop');
  mkdirSync(project);
  const store = await openStore(':memory:');
  const server = await startServer({
    store,
    port: 0,
    projects: [project],
    pageFolder: fileURLToPath(new URL('dist/web', root)),
    runDefaults: {
      program: fileURLToPath(new URL('dist/demo-agent.js', root)),
      env: { GLASSBOX_DEMO_SPEED: '50' },
    },
  });
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 });
    await page.goto(server.createLoginLink());
    for (const prompt of prompts) {
      const { session } = await startedIn(page, prompt);
      await page.goto(`${server.url}/s/${session}`);
      await page.getByPlaceholder('Continue this session').waitFor({ timeout: 120_000 });
    }
    const file = fileURLToPath(new URL('docs/page.png', root));
    await page.screenshot({ path: file });
    say(`took ${file}`);
  } finally {
    await browser.close();
    await server.close();
    await store.close();
    rmSync(home, { recursive: true });
  }
});

/**
 * Asked from within the page, as the page itself does.
 * @param {import('playwright-core').Page} page
 * @param {string} prompt
 * @returns {Promise<{ session: string }>}
 */
async function startedIn(page, prompt) {
  const body = JSON.stringify({ agent: 'claude', prompt });
  const started = await page.request.post(new URL('/api/runs', page.url()).href, {
    headers: { 'content-type': 'application/json', origin: new URL(page.url()).origin },
    data: body,
  });
  return started.json();
}
