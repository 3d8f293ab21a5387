/** The window of a terminal is closed: what was started there comes to its end, is recorded as that, and nothing is left of it. */
import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { ask, init, type Step, text, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { environment, newStore } from './fake-run.js';
import { CLI } from './glassbox.js';

const question = [
  toolUse('t1', 'Bash', { command: 'rm -r cellar' }),
  ask('asked-1', 't1', 'Bash', { command: 'rm -r cellar' }),
];

test.each<[string, string[], readonly Step[], string]>([
  ['while its agent works', [], [text('I work.')], 'I work.'],
  ['while its agent asks', [], question, 'allow once'],
  ['while its agent asks line by line', ['--format=lines'], question, 'Allow? [y]es'],
])('a run %s', async (_, flags, steps, shown) => {
  const { agent, store, program } = await closeWindow(flags, steps, shown, (words) => words);
  await gone(program, agent);
  expect(await kept(store)).toEqual({ state: 'ended', outcome: 'cancelled' });
});

test('a shell that passes it on tells it twice: that is no reason to leave the end unrecorded', async () => {
  const { agent, store, program } = await closeWindow([], question, 'allow once', (words) => [
    '/bin/bash',
    '-ic',
    '"$@"; true',
    'bash',
    ...words,
  ]);
  await gone(program, agent);
  // The shell is gone before it.
  await expect.poll(() => kept(store)).toEqual({ state: 'ended', outcome: 'cancelled' });
});

/** Started in a window, which is closed once something is shown. */
async function closeWindow(
  flags: readonly string[],
  steps: readonly Step[],
  shown: string,
  shell: (words: string[]) => string[],
) {
  const folder = temporaryDirectory();
  const pidFile = path.join(folder, 'pid');
  const store = newStore();
  const script = [{ touch: pidFile }, init(), ...steps, { hear: 'never' }];
  const own = ['--program', FAKE_AGENT, '--cwd', folder, '--no-checkpoints'];
  const words = shell([process.execPath, CLI, 'run', 'claude', 'Tidy up', ...flags, ...own]);
  const window = fork(path.resolve(import.meta.dirname, 'terminal-window.mjs'), words, {
    silent: true,
    env: { ...process.env, ...environment(script, { GLASSBOX_STORE: store }), NO_COLOR: '1' },
  });
  onTestFinished(() => void window.kill('SIGKILL'));
  let output = '';
  window.stdout?.setEncoding('utf8').on('data', (data: string) => {
    output += data;
  });
  await expect.poll(() => output).toContain(shown);
  await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8')).toMatch(/\d/);
  window.kill('SIGKILL');
  return { store, agent: Number(readFileSync(pidFile, 'utf8')), program: Number(/pid (\d+)/.exec(output)?.[1]) };
}

async function gone(...pids: number[]): Promise<void> {
  for (const pid of pids) await expect.poll(() => isThere(pid), { message: `${pid} is gone` }).toBe(false);
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function kept(location: string) {
  const store = await openStore(location);
  const [session] = (await store.list()).items;
  await store.close();
  return { state: session?.state, outcome: session?.outcome };
}
