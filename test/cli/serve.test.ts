/** `glassbox serve` as a person uses it: a link, the page behind it, Ctrl-C. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../fake-agent/play.js';
import { glassbox, start } from './glassbox.js';

test('it prints a link that logs in once, serves the page, and ends with Ctrl-C', async () => {
  const store = path.join(temporaryDirectory(), 'store.db');
  const { child, printed, ended } = start(['serve', '--port', '0', '--no-open', '--store', store]);
  let output = '';
  child.stdout.on('data', (text: string) => {
    output += text;
  });
  await printed('/login?code=');
  await printed('\n\n');
  const link = /http:\S+/.exec(output)?.[0] ?? '';
  const { origin } = new URL(link);

  const login = await fetch(link, { redirect: 'manual' });
  expect(login.status).toBe(302);
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(await (await fetch(origin)).text()).toContain('<div id="app">');
  const agents = await (await fetch(`${origin}/api/agents`, { headers: { cookie } })).json();
  expect(agents).toContainEqual(expect.objectContaining({ name: 'claude', installed: expect.any(Boolean) }));

  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 0 });
});

test('a port that makes no sense is wrong usage', async () => {
  expect(await glassbox(['serve', '--port', 'many'])).toMatchObject({ status: 2 });
});
