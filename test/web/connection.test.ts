/** The page when the server is gone, comes back, or does not know the browser. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { answer, delta, init, streamStart } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { logIn, startSession, useBrowser } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

test('a browser that is not logged in is told how, and sees nothing', async () => {
  const served = await servePage([]);
  const { page } = await logIn(served);
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole('heading', { name: 'This browser is not logged in' }).waitFor();
  expect(await page.getByRole('navigation').count()).toBe(0);
});

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

test('the server stops and starts again: the page says so, and the interrupted session is there', async () => {
  const file = path.join(temporaryDirectory(), 'store.db');
  const first = await servePage([init(), ...streamStart(), delta('Half a thought'), { hang: true }], {
    store: await openStore(file),
  });
  const { page } = await logIn(first);
  await startSession(page, 'Think');
  await page.getByText('Half a thought').waitFor();
  const address = page.url();
  const port = Number(new URL(first.server.url).port);
  await first.server.close();
  await page.getByText('Connection lost').waitFor();
  expect(await page.getByText('Half a thought').isVisible()).toBe(true);

  await first.store.close();
  const second = await servePage(answer('A whole thought'), { store: await openStore(file), port });
  await page.getByRole('heading', { name: 'This browser is not logged in' }).waitFor();
  await page.goto(second.server.createLoginLink());
  await page.goto(address);
  await page.getByText('Half a thought').waitFor();
  await page.getByText('Stopped').first().waitFor();
});
