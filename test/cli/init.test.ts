/** The first run: agents are found, one becomes the default, Tab completes, and `glassbox run "…"` works. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { answer } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { environment, openTerminal } from './fake-run.js';
import { start } from './glassbox.js';

/** A machine with these agents, on which nothing is set up. */
function machine(...agents: string[]) {
  const home = temporaryDirectory();
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(process.execPath, path.join(bin, 'node'));
  for (const name of agents) symlinkSync(FAKE_AGENT, path.join(bin, name));
  const own = path.join(home, '.config', 'glassbox', 'glassbox.json');
  const env = environment(answer('Done.'), { PATH: `${bin}:/usr/bin:/bin`, HOME: home, SHELL: '/bin/bash' });
  return { home, own, env: { ...env, GLASSBOX_CONFIG: own } };
}

const settingsIn = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

test('who runs an agent without naming one is offered it once, and then it runs', async () => {
  const { home, own, env } = machine('claude');
  const cwd = temporaryDirectory();
  const screen = openTerminal(['run', 'Fix it', '--format=lines', '--cwd', cwd], [], { env, isAlone: true });
  await screen.shows('(glassbox init)? [Y/n]');
  screen.type('\r');
  await screen.shows('Use claude when no agent is named? [Y/n]');
  expect(existsSync(own)).toBe(false);
  screen.type('\r');
  await screen.shows('Let Tab complete in bash?');
  screen.type('n\r');
  await screen.shows('[claude] Complete');
  expect(await screen.ended).toBe(0);
  expect(screen.text()).toMatch(/glassbox: with claude, as .*glassbox\.json says\./);
  expect(settingsIn(own)).toEqual({ agent: 'claude' });
  expect(existsSync(path.join(home, '.bashrc'))).toBe(false);
});

test('it is not offered again, nor to a script', async () => {
  const { env } = machine('claude');
  const script = await start(['run', 'Fix it'], env).ended;
  expect(script).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('It is not said which agent. glassbox run claude'),
  });
  const first = openTerminal(['run', 'Fix it'], [], { env, isAlone: true });
  await first.shows('[Y/n]');
  first.type('n\r');
  expect(await first.ended).toBe(2);
  const second = openTerminal(['run', 'Fix it'], [], { env, isAlone: true });
  expect(await second.ended).toBe(2);
  expect(second.text()).not.toContain('[Y/n]');
});

describe('glassbox init', () => {
  test('asks which agent where there are several, and keeps what the file says already', async () => {
    const { home, own, env } = machine('claude', 'codex');
    mkdirSync(path.dirname(own), { recursive: true });
    writeFileSync(own, '{"budgetUsd":5}');
    writeFileSync(path.join(home, '.bashrc'), '# mine');
    const screen = openTerminal(['init'], [], { env, isAlone: true });
    await screen.shows('Which agent is meant when none is named? 1 claude, 2 codex [1]');
    screen.type('3\r');
    await screen.goesOn('Which agent is meant');
    screen.type('codex\r');
    await screen.shows('Let Tab complete in bash?');
    screen.type('y\r');
    expect(await screen.ended).toBe(0);
    expect(screen.text()).toContain('Try it: glassbox run');
    expect(settingsIn(own)).toEqual({ budgetUsd: 5, agent: 'codex' });
    expect(readFileSync(path.join(home, '.bashrc'), 'utf8')).toBe(
      '# mine\ncommand -v glassbox >/dev/null && source <(glassbox completion bash)\n',
    );
    const again = await start(['init', '--dry-run'], env).ended;
    expect(again.stdout).toContain('There is nothing left to set up.');
  });

  test('--dry-run changes nothing, --yes does all of it, and without a terminal one of them is needed', async () => {
    const { home, own, env } = machine('claude');
    expect(await start(['init'], env).ended).toMatchObject({ status: 2, stderr: expect.stringContaining('--yes') });
    const dry = await start(['init', '--dry-run'], env).ended;
    expect(dry.stdout).toMatch(/Would write agent claude to ~\/.*glassbox\.json\.\nWould let Tab complete in bash/);
    expect([own, path.join(home, '.bashrc')].map((file) => existsSync(file))).toEqual([false, false]);
    expect((await start(['init', '--yes'], env).ended).status).toBe(0);
    expect(settingsIn(own)).toEqual({ agent: 'claude' });
    const ran = await start(['run', 'claude', 'code', 'is', 'slow', '--cwd', home], { ...env, GLASSBOX_AGENT: 'codex' })
      .ended;
    expect(ran.stderr).toContain('with claude, because the first word names it; to say all of it to codex');
  });

  test('without any agent it says what to do', async () => {
    const { stdout, status } = await start(['init', '--yes'], machine().env).ended;
    expect(stdout).toContain('No agent was found. glassbox doctor tells how to install one');
    expect(status).toBe(127);
  });

  test('a name that is no agent is refused', async () => {
    const { status } = await start(['init', '--yes', '--agent', 'clod'], machine('claude').env).ended;
    expect(status).toBe(2);
  });
});
