/** The page when the server is gone, comes back, or does not know the browser. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { answer, delta, init, streamStart, text } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { lastingPort } from '../support/lasting-port.js';
import { logIn, startSession, useBrowser } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

test('what the server refuses is told beside the form, and can be put right', async () => {
  const served = await servePage(answer('Here you are.'));
  const { page } = await logIn(served);
  await page.getByRole('option', { name: 'Claude Code' }).waitFor({ state: 'attached' });
  await page.getByLabel('Folder').fill('/');
  await page.getByLabel('Prompt').fill('Begin');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('alert').getByText('may not be started in this directory').waitFor();
  await page.getByLabel('Folder').fill(served.project);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('Here you are.').waitFor();
});

test('an unknown session says so', async () => {
  const served = await servePage([]);
  const { page } = await logIn(served);
  await page.goto(`${served.server.url}/s/nothing`);
  await page.getByText('There is no such session.').waitFor();
});

test('the server stops and starts again: the page goes on by itself, with what was written', async () => {
  const file = path.join(temporaryDirectory(), 'store.db');
  const stateFolder = temporaryDirectory();
  const port = await lastingPort();
  const first = await servePage([init(), ...streamStart(), delta('Half a thought'), { hang: true }], {
    store: await openStore(file),
    stateFolder,
    port,
  });
  const { page } = await logIn(first);
  await startSession(page, 'Think');
  await page.getByText('Half a thought').waitFor();
  await page.getByLabel('Message to the agent').fill('Half a message');
  await first.server.close();
  await page.getByText('Connection lost. Trying again; what you see and what you wrote stays.').waitFor();
  expect(await page.getByText('Half a thought').isVisible()).toBe(true);

  await first.store.close();
  const script = answer('A whole thought');
  await servePage(script, {
    store: await openStore(file),
    stateFolder,
    port,
    projects: [first.project],
  });
  await page.locator('.connection').waitFor({ state: 'hidden' });
  await page.getByText('Stopped').first().waitFor();
  await page.reload();
  await page.getByText('Half a thought').waitFor();
  expect(await page.getByLabel('Message to the agent').inputValue()).toBe('Half a message');
  await page.getByLabel('Send').click();
  await page.getByText('A whole thought').waitFor();
  await page.getByLabel('Conversation').getByText('Half a message').waitFor();
  await page.reload();
  await page.getByText('A whole thought').waitFor();
  expect(await page.getByLabel('Message to the agent').inputValue()).toBe('');
});

test('what another request learned late does not replace what the list heard meanwhile', async () => {
  const served = await servePage([init(), text('hello'), { hearEnd: true }]);
  const { page } = await logIn(served);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/sessions\/(?!stream)\w+$/, async (route) => {
    const response = await route.fetch();
    await held;
    // As it was before the first event of the run was kept.
    await route.fulfill({ response, json: { ...(await response.json()), title: '' } });
  });
  await page.getByRole('option', { name: 'Claude Code' }).waitFor({ state: 'attached' });
  await page.getByLabel('Prompt').fill('Tidy up');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('link', { name: 'Tidy up' }).waitFor();
  release();
  await page.getByText('hello').waitFor();
  await page.getByRole('heading', { name: 'Tidy up', level: 1 }).waitFor();
});
