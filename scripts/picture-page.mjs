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

/** What stands in the list beside it: title, how many minutes ago, what it cost. */
const others = /** @type {const} */ ([
  ['Explain how the cache works', 26, 0.0312],
  ['Write a test for the parser', 180, 0.2741],
  ['Upgrade the router and fix what breaks', 1500, 1.19],
]);

await main(import.meta.url, async () => {
  await bundleIfChanged();
  const { createClient } = await import(new URL('dist/client.js', root).href);
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
    const client = createClient({ url: server.url, token: server.token });
    for (const [index, other] of others.entries()) await keep(store, project, `other-${index}`, other);
    const { session } = await client.start({ agent: 'claude', prompt: 'Fix the failing tests' });
    await page.goto(`${server.url}/s/${session}`);
    await page.getByPlaceholder('Continue this session').waitFor();
    await page.locator('.diff-add').first().waitFor();
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
 * @param {import('../src/store/index.js').Store} store
 * @param {string} cwd
 * @param {string} runId
 * @param {readonly [text: string, minutes: number, usd: number]} session
 */
async function keep(store, cwd, runId, [text, minutes, usd]) {
  const at = Date.now() - minutes * 60_000;
  const stamp = /** @type {const} */ ({ agent: 'claude', runId, at, turn: 1, source: 'stream' });
  await store.startRun({ runId, agent: 'claude', startedAt: at, cwd, owned: false });
  await store.append([
    { ...stamp, seq: 1, type: 'user-message', text },
    { ...stamp, seq: 2, type: 'turn-end', outcome: 'success', cost: { usd, scope: 'turn', origin: 'reported' } },
  ]);
  await store.endRun(runId);
}
