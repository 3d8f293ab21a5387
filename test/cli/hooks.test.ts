/** `glassbox hooks` as a user types it. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { glassbox } from './glassbox.js';

const BEFORE = '{\n  "model": "opus" // mine\n}\n';

function createHome() {
  const home = mkdtempSync(path.join(tmpdir(), 'gb-home-'));
  const file = path.join(home, '.claude', 'settings.json');
  mkdirSync(path.dirname(file));
  writeFileSync(file, BEFORE);
  const env = { HOME: home, GLASSBOX_STATE_DIR: path.join(home, 's'), CLAUDE_CONFIG_DIR: undefined };
  return {
    hooks: (...words: string[]) => glassbox(['hooks', ...words], '', env),
    inside: (...words: string[]) => glassbox(['hooks', ...words], '', { ...env, GLASSBOX_RUN_ID: 'r1' }),
    read: () => readFileSync(file, 'utf8'),
    write: (text: string | Buffer) => writeFileSync(file, text),
    home,
  };
}

test('shows, writes, tells and takes back', async () => {
  const { hooks, read } = createHome();
  const shown = await hooks('install', '--dry-run');
  expect(shown).toMatchObject({ status: 0, stderr: '' });
  expect(shown.stdout).toContain('+    "PermissionRequest": [');
  expect(read()).toBe(BEFORE);
  expect(await hooks('install')).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
  expect(read()).toBe(BEFORE);
  expect(await hooks('install', 'claude', '--yes')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('"PermissionRequest"'),
  });
  expect(read()).toContain('"model": "opus", // mine');
  const { status, stdout } = await hooks('status');
  expect(status).toBe(0);
  expect(stdout).toMatch(
    /installed: PermissionRequest, .*\n {2}Claude Code skips .*\n {2}by .*, which works here\n {2}nobody listens: glassbox serve\n/,
  );
  expect(await hooks('install', '--yes')).toMatchObject({ stdout: expect.stringContaining('nothing to do') });
  expect(await hooks('remove', '--yes')).toMatchObject({ status: 0 });
  expect(read()).toBe(BEFORE);
  expect((await hooks('status')).stdout).toContain('not installed: glassbox hooks install');
});

test('a file that the program skips is told of, when hooks come into it and whenever somebody asks', async () => {
  const { hooks, write } = createHome();
  const skips = 'Claude Code skips a settings file with comments';
  const { stdout } = await hooks('install', 'claude', '--yes');
  expect(stdout).toContain(skips);
  expect(stdout).not.toContain('tells glassbox of its sessions now');
  expect((await hooks('status')).stdout).toContain(skips);
  await hooks('remove', '--yes');
  write('{ "model": "opus" }');
  expect((await hooks('install', 'claude', '--yes')).stdout).toContain(
    'Claude Code tells glassbox of its sessions now',
  );
  expect((await hooks('status')).stdout).not.toContain(skips);
});

test('settings of one agent that make no sense keep nobody from those of the others', async () => {
  const { hooks, write, home } = createHome();
  mkdirSync(path.join(home, '.qwen'));
  write('[]');
  const told = { status: 3, stderr: expect.stringContaining('not as they should be') };
  const done = await hooks('install', '--yes');
  expect(done).toMatchObject({ ...told, stdout: expect.stringContaining('Qwen Code tells glassbox') });
  write(Buffer.from([0xff]));
  const unread = { status: 3, stderr: expect.stringContaining('is not text in UTF-8') };
  expect(await hooks('status')).toMatchObject({ ...unread, stdout: expect.stringContaining('  installed: ') });
  expect(await hooks('remove', '--yes')).toMatchObject({ ...unread, stdout: expect.stringContaining('Qwen Code') });
});

test('reaches the agents that are used here', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'gb-home-'));
  const env = { HOME: home, GLASSBOX_STATE_DIR: path.join(home, 's'), CLAUDE_CONFIG_DIR: undefined };
  const hooks = (...words: string[]) => glassbox(['hooks', ...words], '', env);
  expect(await hooks('install', '--yes')).toMatchObject({
    stderr: expect.stringContaining('(Claude Code, Gemini CLI, Qwen Code). Start it once, then try again.'),
  });
  for (const name of ['.qwen', '.gemini']) mkdirSync(path.join(home, name));
  const { stdout } = await hooks('install', '--yes');
  expect(stdout).toContain('Gemini CLI tells glassbox of its sessions now');
  expect(stdout).toMatch(/Qwen Code tells glassbox of .*, of those that are started from now on\. See them/);
  expect(await hooks('status')).toMatchObject({ status: 0, stdout: expect.stringMatching(/installed: .*AfterAgent/) });
  expect(await hooks('remove', '--yes')).toMatchObject({ status: 0 });
  expect(readdirSync(home, { recursive: true }).filter((name) => /settings/.test(String(name)))).toEqual([]);
});

test('is refused for agents without, inside a run, and by another word', async () => {
  const { hooks, inside, read } = createHome();
  expect(await hooks('install', 'codex', '--yes')).toMatchObject({
    stderr: expect.stringContaining('locking you out'),
  });
  expect(await inside('install', '--yes')).toMatchObject({ stderr: expect.stringContaining('from inside a run') });
  expect(await hooks('destroy')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('install, status, remove'),
  });
  expect(read()).toBe(BEFORE);
});
