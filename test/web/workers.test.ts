/** Work that is sent from the page to the workers of a hub: it arrives where it was sent, and its conversation is shown and answered here. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { ask, init, result, text, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { fleet } from '../worker/fleet.js';
import { logIn, useBrowser } from './browser.js';
import { PAGE } from './serve-page.js';

useBrowser();

const input = { command: 'make train' };
const script = [
  ...[init(), text('Looking at the data', 'm1'), toolUse('t', 'Bash', input), ask('q', 't', 'Bash', input)],
  ...[{ hear: '"q"' }, text('Trained', 'm2'), result('Trained')],
];

/** Two of them at one hub: both have the project, each in a folder of its own. */
async function twoWorkers() {
  const served = await fleet(script, PAGE);
  const folders = { mill: temporaryDirectory(), forge: temporaryDirectory() };
  const labels = { mill: ['linux'], forge: ['linux', 'gpu'] };
  for (const name of ['mill', 'forge'] as const) {
    const file = { projects: { shop: folders[name] }, labels: labels[name] };
    served.work({ name, file, spoolFolder: temporaryDirectory() });
  }
  await expect.poll(async () => (await served.client.workers()).length).toBe(2);
  const { page, problems } = await logIn(served);
  return { served, folders, page, problems };
}

async function send(page: Page, prompt: string): Promise<void> {
  await page.getByLabel('Prompt').fill(prompt);
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: prompt, level: 1 }).waitFor();
}

test('a job for a machine arrives at that machine, and is answered and ended from the page', async () => {
  const { served, folders, page, problems } = await twoWorkers();
  await page.getByLabel('Machine').selectOption('@mill');
  await expect.poll(() => page.getByLabel('Project').inputValue()).toBe('shop');
  await send(page, 'Train it at the mill');
  await page.getByText('Looking at the data').waitFor();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('Trained').first().waitFor();
  const [job] = (await served.client.jobs()).items;
  expect(job).toMatchObject({ worker: 'mill', host: 'mill', project: 'shop' });
  await expect.poll(async () => (await served.client.job(job?.id ?? '')).state).toBe('ended');
  expect(await served.client.session(job?.runId ?? '')).toMatchObject({ cwd: folders.mill, outcome: 'finished' });
  expect(problems).toEqual([]);
});

test('a job for a label arrives at the one that has it', async () => {
  const { served, folders, page, problems } = await twoWorkers();
  await page.getByLabel('Machine').selectOption({ label: 'Any worker' });
  await page.getByLabel('gpu').check();
  await send(page, 'Train it where a gpu is');
  await page.getByText('Looking at the data').waitFor();
  const [job] = (await served.client.jobs()).items;
  expect(job).toMatchObject({ worker: 'forge', labels: ['gpu'] });
  expect(await served.client.session(job?.runId ?? '')).toMatchObject({ cwd: folders.forge });
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('Trained').first().waitFor();
  expect(problems).toEqual([]);
});
