/** The page of several hubs over one Postgres, behind a load balancer that gives each request to the next: nobody notices which one answers. */
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { ask, init, result, text, toolUse } from '../fake-agent/lines.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { freshLocation } from '../support/postgres.js';
import { openRoundRobin } from '../support/round-robin.js';
import { startSession, useBrowser, visitServer } from './browser.js';
import { servePage } from './serve-page.js';

useBrowser();

test('a browser logs in, starts an agent, answers it, loads again and sees one hub go, whichever hub answers', async () => {
  const location = await freshLocation();
  const front = await openRoundRobin();
  const projects = [temporaryDirectory()];
  const input = { command: 'touch x' };
  const script = [
    ...[init(), text('Before the question', 'm1'), toolUse('t', 'Bash', input), ask('q', 't', 'Bash', input)],
    ...[{ hear: '"q"' }, text('After the answer', 'm2'), result('done')],
  ];
  const open = async () => {
    const store = await openStore(location);
    const hub = await servePage(script, {
      store,
      projects,
      behindProxy: true,
      allowHosts: [front.host],
      log: () => {},
    });
    onTestFinished(() => store.close());
    return hub;
  };
  const [one, two] = [await open(), await open()];
  front.lead([one.server.url, two.server.url]);

  const { page, problems } = await visitServer();
  // The browser keeps keys for this machine also without a certificate.
  await page.goto((await one.server.createLoginLink()).replace('https:', 'http:'));
  await startSession(page, 'Touch x');
  await page.getByText('Before the question').waitFor();
  await page.getByRole('button', { name: 'Allow once' }).click();
  await page.getByText('After the answer').waitFor();
  await page.reload();
  await page.getByText('After the answer').waitFor();

  await one.server.close();
  front.lead([two.server.url]);
  await page.reload();
  await page.getByText('After the answer').waitFor();
  await page.getByRole('link', { name: 'Touch x' }).first().waitFor();
  expect(Math.min(...front.shares.values())).toBeGreaterThan(3);
  expect(problems).toEqual([]);
});
