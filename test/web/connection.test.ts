/** The page when the server is gone, comes back, or does not know the browser. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { answer, delta, init, streamStart, text } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { lastingPort } from '../support/lasting-port.js';
import { logIn, startSession, useBrowser, visitServer } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

test('what the server refuses is told beside the form, and can be put right', async () => {
  const served = await servePage(answer('Here you are.'));
  const { page } = await logIn(served);
  await page.getByRole('option', { name: 'Claude Code' }).waitFor({ state: 'attached' });
  await page.getByLabel('Folder').fill('/');
  await page.getByLabel('Prompt').fill('Begin');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('alert').getByText('may be started or changed in this directory').waitFor();
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
  await page.getByText('Trying again; what you see and what you wrote stays.').waitFor();
  await page.getByText('1 agent that it runs: ended if the server was stopped').waitFor();
  await page.locator('.session-head-facts', { hasText: 'as last heard' }).waitFor();
  expect(await page.getByText('Half a thought').isVisible()).toBe(true);

  await first.store.close();
  const script = answer('A whole thought');
  await servePage(script, {
    store: await openStore(file),
    stateFolder,
    port,
    projects: [first.project],
  });
  await page.getByText(/^Back after \d+:\d\d\. \w+ has ended\.$/).waitFor();
  await page.locator('.connection').getByRole('button', { name: 'Close' }).click();
  await page.locator('.connection').waitFor({ state: 'hidden' });
  await page.getByText('Stopped').first().waitFor();
  expect(await page.getByText('as last heard').count()).toBe(0);
  await page.reload();
  await page.getByText('Half a thought').waitFor();
  await expect.poll(() => page.getByLabel('Message to the agent').inputValue()).toBe('Half a message');
  await page.getByLabel('Send').click();
  await page.getByText('A whole thought').waitFor();
  await page.getByLabel('Conversation').getByText('Half a message').waitFor();
  await page.reload();
  await page.getByText('A whole thought').waitFor();
  await expect.poll(() => page.getByLabel('Message to the agent').inputValue()).toBe('');
});

test('what another request learned late does not replace what the list heard meanwhile', async () => {
  const served = await servePage([init(), text('hello'), { hearEnd: true }]);
  const { page } = await logIn(served);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/api\/sessions\/(?!stream)\w+$/, async (route) => {
    // What is asked for after the list has heard of it is as new.
    const isFirst = (await page.getByRole('link', { name: 'Tidy up' }).count()) === 0;
    const response = await route.fetch();
    await held;
    // As it was before the first event of the run was kept.
    await route.fulfill({ response, json: { ...(await response.json()), ...(isFirst && { title: '' }) } });
  });
  await page.getByRole('option', { name: 'Claude Code' }).waitFor({ state: 'attached' });
  await page.getByLabel('Prompt').fill('Tidy up');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('link', { name: 'Tidy up' }).waitFor();
  release();
  await page.getByText('hello').waitFor();
  await page.getByRole('heading', { name: 'Tidy up', level: 1 }).waitFor();
});

test('the network drops: every socket is cut, the agent goes on, and nothing of it is missing afterwards', async () => {
  const proxy = await openProxy();
  const served = await servePage(
    [init(), text('Before the drop', 'm1'), { hear: 'go on' }, text('After the drop', 'm2'), { hearEnd: true }],
    {
      allowHosts: [proxy.host],
    },
  );
  proxy.lead(Number(new URL(served.server.url).port));
  const { page } = await visitServer();
  await page.goto((await served.server.createLoginLink()).replace(new URL(served.server.url).host, proxy.host));
  await startSession(page, 'Think');
  await page.getByText('Before the drop').waitFor();
  proxy.cut();
  await page
    .getByText('1 agent that it runs: ended if the server was stopped, still at work if only the connection is gone.')
    .waitFor();
  const [session] = (await served.client.sessions()).items;
  await served.client.say(session?.id ?? '', { text: 'go on' });
  proxy.mend();
  await page.getByText(/^Back after .* goes on\.$/).waitFor();
  await page.getByText('After the drop').waitFor();
  expect(await page.getByText('Before the drop').count()).toBe(1);
});

/** Between a browser and a server: what goes through it can be cut as a network is. */
async function openProxy() {
  const sockets = new Set<Socket>();
  let [port, isCut] = [0, false];
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    lead: (to: number) => {
      port = to;
    },
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    mend: () => {
      isCut = false;
    },
  };
}
