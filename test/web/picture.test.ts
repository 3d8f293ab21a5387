/** The picture in the README is taken from the page as it is; `npm run picture:page` takes it anew. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Store } from '../../src/store/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { serve } from '../server/serve.js';
import { logIn, useBrowser } from './browser.js';
import { PAGE_FOLDER } from './serve-page.js';

useBrowser();

const PICTURE = path.resolve(import.meta.dirname, '../../docs/page.png');
/** So many points become one: durations and letters come out a little different each time and in each browser. */
const BLUR = 16;
/** Another layout is more than that, even another height of lines. */
const MOST_DIFFERENT = 0.015;

test('the picture of the page is current, and the README shows it', async () => {
  const project = path.join(temporaryDirectory(), 'clock');
  mkdirSync(project);
  const served = await serve([], {
    projects: [project],
    pageFolder: PAGE_FOLDER,
    runDefaults: {
      program: path.resolve(import.meta.dirname, '../../dist/demo-agent.js'),
      env: { GLASSBOX_DEMO_SPEED: '50' },
    },
  });
  await keep(served.store, project, 'Explain how the cache works', 26, 0.0312);
  await keep(served.store, project, 'Write a test for the parser', 180, 0.2741);
  await keep(served.store, project, 'Upgrade the router and fix what breaks', 1500, 1.19);
  const { page } = await logIn(served, { deviceScaleFactor: 2, colorScheme: 'light' });
  const { session } = await served.client.start({ agent: 'claude', prompt: 'Fix the failing tests' });
  await page.goto(`${served.server.url}/s/${session}`);
  await page.getByPlaceholder('Continue this session').waitFor();
  // Open if it was seen while it was made, folded if the run was quicker than the page.
  const edit = page.getByRole('article', { name: 'Tool Edit' });
  await edit.waitFor();
  if ((await page.locator('.diff-add').count()) === 0) await edit.getByRole('button').first().click();
  await page.locator('.diff-add').first().waitFor();
  await page.mouse.move(700, 30);
  const taken = await page.screenshot({ animations: 'disabled' });
  if (process.env.GLASSBOX_UPDATE_PICTURE) writeFileSync(PICTURE, taken);
  expect(readFileSync('README.md', 'utf8')).toContain('](docs/page.png)');
  await page.goto('about:blank');
  expect(await difference(page, readFileSync(PICTURE), taken), 'take it again: npm run picture:page').toBeLessThan(
    MOST_DIFFERENT,
  );
});

/** Another session for the list. */
async function keep(store: Store, cwd: string, text: string, minutesAgo: number, usd: number): Promise<void> {
  const at = Date.now() - minutesAgo * 60_000;
  const stamp = { agent: 'claude', runId: text, at, turn: 1, source: 'stream' } as const;
  await store.startRun({ runId: text, agent: 'claude', startedAt: at, cwd, owned: false });
  await store.append([
    { ...stamp, seq: 1, type: 'user-message', text },
    { ...stamp, seq: 2, type: 'turn-end', outcome: 'success', cost: { usd, scope: 'turn', origin: 'reported' } },
  ]);
  await store.endRun(text);
}

/** The share of points that are not alike; everything when the sizes differ. */
function difference(page: Page, one: Buffer, other: Buffer): Promise<unknown> {
  const [left, right] = [one, other].map((picture) => `data:image/png;base64,${picture.toString('base64')}`);
  return page.evaluate(`(async () => {
    const points = async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const [width, height] = [image.width / ${BLUR}, image.height / ${BLUR}];
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas.imageSmoothingQuality = 'high';
      canvas.drawImage(image, 0, 0, width, height);
      return canvas.getImageData(0, 0, width, height).data;
    };
    const [one, other] = await Promise.all([points('${left}'), points('${right}')]);
    if (one.length !== other.length) return 1;
    let different = 0;
    for (let at = 0; at < one.length; at += 4) {
      if (Math.abs(one[at] - other[at]) + Math.abs(one[at + 1] - other[at + 1]) > 60) different += 1;
    }
    return different / (one.length / 4);
  })()`);
}
