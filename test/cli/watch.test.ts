/** `glassbox watch`: what is written on this machine is printed while it is written, and one session of any process is followed to its end. */
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { init, result, text } from '../fake-agent/lines.js';
import { createGate, newStore, openTerminal } from './fake-run.js';
import { glassbox, start } from './glassbox.js';
import { screenOf } from './screen-of.js';

const id = '01a1e465-4f86-7172-94c6-69197926036f';
const line = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`;
const said = (message: string) => line('event_msg', { type: 'agent_message', message });

test('every agent of this machine is watched, line by line, and what was seen is kept', async () => {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-home-'));
  const env = { HOME: home, GLASSBOX_STORE: join(home, 'store.db'), GLASSBOX_CONFIG: join(home, 'none.json') };
  const { child, printed, ended } = start(['watch', '--all'], env);
  // It says when it watches: what was written long before is history.
  await once(child.stderr, 'data');
  const file = join(home, `.codex/sessions/2026/11/17/rollout-2026-${id}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    line('session_meta', { id, cwd: '/repo', source: 'exec' }) + line('event_msg', { type: 'task_started' }),
  );
  appendFileSync(file, line('event_msg', { type: 'user_message', message: 'Look around' }) + said('First words'));
  await printed('[codex] "First words"\n');
  appendFileSync(file, said('Second words') + line('event_msg', { type: 'task_complete' }));
  await printed('[codex] Complete\n');
  child.kill('SIGINT');
  const { stdout, status } = await ended;
  expect(stdout.match(/words/g)).toHaveLength(2);
  expect(stdout).toMatch(/^\w+ codex \/repo Look around\n/);
  expect(status).toBe(0);
  const kept = await glassbox(['show', id], '', env);
  expect(kept.stdout).toContain('Second words');
  expect((await glassbox(['open', id, '--print'], '', env)).stdout).toBe(`codex resume ${id}\n`);
  expect((await glassbox(['import', '--json'], '', env)).stdout).toContain('"imported":0,"unchanged":1');
});

test.each([[[]], [[id]]])('one that nobody has seen before is found, as %j', async (words) => {
  const home = mkdtempSync(join(tmpdir(), 'glassbox-home-'));
  const file = join(home, `.codex/sessions/2026/11/17/rollout-2026-${id}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  const begun =
    line('session_meta', { id, cwd: '/repo', source: 'exec' }) + line('event_msg', { type: 'task_started' });
  writeFileSync(file, begun + said('First words'));
  const env = { HOME: home, GLASSBOX_STORE: join(home, 'store.db'), GLASSBOX_CONFIG: join(home, 'none.json') };
  const { child, printed, ended } = start(['watch', ...words], env);
  await printed('[codex] "First words"\n');
  appendFileSync(file, said('Second words'));
  await printed('[codex] "Second words"\n');
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 0, stderr: '' });
});

test('one session or all of them, and one that is there', async () => {
  const env = { HOME: mkdtempSync(join(tmpdir(), 'glassbox-home-')) };
  expect(await glassbox(['watch', '--all', 'k7qd'], '', env)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('not both'),
  });
  expect(await glassbox(['watch', 'k7qd'], '', env)).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('k7qd'),
  });
});

test('whoever comes to a session on a terminal sees what its turn was asked for, and who works', async () => {
  const store = newStore();
  const gate = createGate();
  const env = { GLASSBOX_STORE: store };
  const run = openTerminal(['run', 'claude', 'Fix it'], [init(), text('On it.'), gate.step, result('ok')], { env });
  await run.shows('On it.');
  const watching = openTerminal(['watch'], [], { env, isAlone: true });
  await watching.shows('On it.');
  gate.open();
  expect(await watching.ended).toBe(0);
  expect(await screenOf(watching.text())).toMatch(/^> Fix it\n\n {2}On it\.\n/);
  await run.ended;
});
