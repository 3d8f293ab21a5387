/** `glassbox serve` as a person uses it: a link, the page behind it, Ctrl-C. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ask, init, result, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { environment } from './fake-run.js';
import { glassbox, type Started, start, temporaryFile } from './glassbox.js';

test('it prints a link that logs in once, serves the page, and ends with Ctrl-C', async () => {
  const store = path.join(temporaryDirectory(), 'store.db');
  const { child, printed, ended } = start(['serve', '--port', '0', '--no-open', '--store', store]);
  const link = await linkOf(child, printed);
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

test('a run from the page has the settings of its agent and of its directory', async () => {
  const project = temporaryDirectory();
  const ours = temporaryFile('ours.json', JSON.stringify({ agents: { claude: { program: FAKE_AGENT } } }));
  writeFileSync(
    path.join(project, 'glassbox.json'),
    JSON.stringify({ rules: [{ decision: 'deny', command: 'rm *' }] }),
  );
  const input = { command: 'rm a' };
  const asking = [init(), toolUse('t', 'Bash', input), ask('q', 't', 'Bash', input), { hear: 'q' }, result('ok')];
  const env = { ...environment(asking), GLASSBOX_CONFIG: ours };
  const { child, printed, ended } = start(['serve', '--port', '0', '--no-open', '--project', project], env);
  const link = await linkOf(child, printed);
  const { origin } = new URL(link);
  const login = await fetch(link, { redirect: 'manual' });
  const headers = { origin, cookie: login.headers.get('set-cookie')?.split(';')[0] ?? '' };

  const started = await fetch(`${origin}/api/runs`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ agent: 'claude', prompt: 'go', cwd: project }),
  });
  const { runId } = (await started.json()) as { runId: string };
  const events = await (await fetch(`${origin}/api/runs/${runId}/events`, { headers })).text();
  expect(events).toMatch(/"type":"approval-resolve".*"decision":"deny","by":"rule"/);
  expect(events).toContain('"reason":"finished"');

  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 0 });
});

test('a port that makes no sense is wrong usage', async () => {
  expect(await glassbox(['serve', '--port', 'many'])).toMatchObject({ status: 2 });
});

async function linkOf(child: Started['child'], printed: Started['printed']): Promise<string> {
  let output = '';
  child.stdout.on('data', (text: string) => {
    output += text;
  });
  await printed('/login?code=');
  await printed('\n\n');
  return /http:\S+/.exec(output)?.[0] ?? '';
}
