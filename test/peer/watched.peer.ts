/**
 * A session that a person began by hand and glassbox only watched is gone on with by `glassbox resume` and `glassbox open`: one session, in which
 * everything was said once and every call of the model was paid once.
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openTerminal as openGlassbox } from '../cli/fake-run.js';
import { screenOf } from '../cli/screen-of.js';
import { claude } from './agent/claude.js';
import { codex } from './agent/codex.js';
import { atWork } from './command.js';
import { processesWith, type Sandbox } from './sandbox.js';
import { createStage, type ScriptOf, type Stage } from './stage.js';
import { openTerminal } from './terminal.js';

const PATIENCE = { timeout: 100_000, interval: 200 };
const INSISTING = { timeout: 100_000, interval: 2000 };

/** By what was said last: a program may ask its model for something beside the conversation, as for a title. */
const answers: ScriptOf = () => (call) => {
  const said = JSON.stringify(call.body);
  if (said.includes('Now in its program')) return { text: 'The third word is spoon.' };
  if (said.includes('Now by glassbox')) return { text: 'The second word is kettle.' };
  return { text: 'The first word is teapot.' };
};

const WORDS = ['The first word is teapot.', 'The second word is kettle.', 'The third word is spoon.'];

/** What the models on loopback count. */
const threeCalls: Record<string, object> = {
  claude: { inputTokens: 300, outputTokens: 30, cacheReadTokens: 9000 },
  codex: { inputTokens: 2700, outputTokens: 135, cacheReadTokens: 900 },
};

const leaves: Record<string, string> = { claude: '/exit', codex: '/quit' };

test.each([claude, codex])('$agent: begun by hand, watched, resumed and opened, is one session', async (peer) => {
  await using stage = await createStage(peer, answers);
  peer.introduce?.(stage.sandbox);
  introduceFolder(stage.sandbox);
  const { begin, env, glassbox, session } = atWork(stage);
  const watch = begin('watch', '--all');
  await byHand(stage);
  await watch.printed('The first word is teapot.');

  const { id } = await session();
  const resumed = await glassbox('resume', id, 'Now by glassbox', '--permission', 'accept-edits');
  expect(resumed, resumed.stderr + resumed.stdout).toMatchObject({ status: 0 });
  expect(resumed.stdout).toContain('The second word is kettle.');

  const screen = openGlassbox(['open', id], [], {
    isAlone: true,
    env: { ...strings({ ...stage.env, ...env }), TERM: 'xterm-256color' },
    cwd: stage.sandbox.cwd,
  });
  const insists = (keys: string, until: string) =>
    expect
      .poll(async () => {
        const isThere = (await screenOf(screen.text())).includes(until);
        if (!isThere) screen.type(keys);
        return isThere;
      }, INSISTING)
      .toBe(true);
  await insists('\u0015Now in its program', 'Now in its program');
  await insists('\r', 'The third word is spoon.');
  const leave = leaves[peer.agent] ?? '';
  await insists(`\u0015${leave}`, leave);
  await insists('\r', 'what happened there is kept too');
  expect(await screen.ended).toBe(0);

  const heard = stage.model.calls.map((call) => JSON.stringify(call));
  const all = ['Now by hand', 'Now by glassbox', 'Now in its program'];
  expect(heard.some((call) => all.every((said) => call.includes(said)))).toBe(true);
  // Codex leaves a server behind that its next start would find.
  for (const pid of processesWith(stage.sandbox.home)) if (pid !== watch.child.pid) process.kill(pid, 'SIGKILL');
  watch.child.kill('SIGINT');
  await watch.ended;
  expect(await glassbox('import')).toMatchObject({ status: 0 });
  const { runs, usage, ...now } = await session();
  expect(now).toMatchObject({ id, turns: 3 });
  expect(runs).toHaveLength(2);
  expect(usage).toMatchObject(threeCalls[peer.agent] ?? {});
  const { stdout: sessions } = await glassbox('sessions', '--json');
  expect(sessions.trim().split('\n')).toHaveLength(1);
  const shown = await glassbox('show', id, '--format', 'plain');
  expect(shown.stdout.match(/The \w+ word is \w+\./g)).toEqual(WORDS);
  const exported = await glassbox('export', id, '--format', 'markdown');
  expect([...new Set(exported.stdout.match(/The \w+ word is \w+\./g))]).toEqual(WORDS);
});

async function byHand(stage: Stage): Promise<void> {
  await using terminal = openTerminal(stage, []);
  await expect.poll(terminal.look, PATIENCE).toMatch(/[›❯>]/);
  await expect
    .poll(() => {
      if (!terminal.look().includes('Now by hand')) terminal.type('Now by hand');
      return terminal.read();
    }, INSISTING)
    .toContain('Now by hand');
  await expect
    .poll(() => {
      if (!terminal.read().includes('The first word is teapot.')) terminal.type('\r');
      return terminal.read();
    }, INSISTING)
    .toContain('The first word is teapot.');
}

/** Where its settings are named, it looks for all of them there. */
function introduceFolder({ home }: Sandbox): void {
  const from = path.join(home, '.claude.json');
  if (!existsSync(from)) return;
  mkdirSync(path.join(home, '.claude'), { recursive: true });
  copyFileSync(from, path.join(home, '.claude', '.claude.json'));
}

function strings(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
