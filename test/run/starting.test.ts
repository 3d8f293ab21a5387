/** How an agent is started: arguments, directory, environment, and what is refused. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/run/index.js';
import { answer } from '../fake-agent/lines.js';
import { play, readAll, scripted, temporaryDirectory, typesOf } from '../fake-agent/play.js';

const quiet = { permission: 'deny' } as const;

describe('starting', () => {
  it('S0-31 S2-03 S2-11 passes arguments, directory and environment on, without a shell', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    const cwd = temporaryDirectory();
    const prompt = "$(touch /tmp/pwned) \"; `x` 'y' --help\n";
    await run(scripted([{ tell: told }, ...answer('x')], { ...quiet, cwd, prompt, model: 'm', env: { MINE: 'yes' } }))
      .completion;
    const { argv, env, cwd: seenCwd } = JSON.parse(readFileSync(told, 'utf8'));
    expect(argv.slice(0, 4)).toEqual(['--print', '--output-format', 'stream-json', '--verbose']);
    expect(argv.at(-1)).toBe(prompt);
    expect(argv).toContain('--model=m');
    expect(env).toMatchObject({ MINE: 'yes' });
    expect(env.GLASSBOX_RUN_ID).toBeDefined();
    expect(seenCwd).toBe(cwd);
  });

  it('S2-12 request wins over defaults, variables one by one', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    const { env: script, ...request } = scripted([{ tell: told }, ...answer('x')], { ...quiet, model: undefined });
    const defaults = {
      model: 'default',
      permission: 'bypass',
      env: { ...script, A: 'default', B: 'default' },
    } as const;
    await run({ ...request, env: { A: 'mine' } }, defaults).completion;
    const { argv, env } = JSON.parse(readFileSync(told, 'utf8'));
    expect(argv).toContain('--model=default');
    expect(argv).toContain('--permission-mode=default');
    expect(env).toMatchObject({ A: 'mine', B: 'default' });
  });

  it('a prompt over 100 KiB is not on the command line', async () => {
    const told = path.join(temporaryDirectory(), 'told');
    const prompt = `begin ${'x'.repeat(150_000)}`;
    const script = [{ hear: 'begin' }, { tell: told }, ...answer('x')];
    expect((await play(script, { ...quiet, prompt }).completion).text).toBe('x');
    expect(readFileSync(told, 'utf8').length).toBeLessThan(50_000);
  });

  it.each([
    [
      'LL-20 a program that is not there',
      { program: '/nowhere/agent' },
      /not found at \/nowhere\/agent/,
      /npm install/,
    ],
    ['LL-20 a directory that is not there', { cwd: '/nowhere/at/all' }, /directory does not exist/, /Create it/],
    ['S2-16 a file that may not be run', { program: import.meta.filename }, /not found/, /npm install/],
  ])('%s is told as it is', async (_, request, message, hint) => {
    const handle = play([], request);
    const events = await readAll(handle);
    const { reason, error } = await handle.completion;
    expect([reason, error?.category]).toEqual(['spawn-failed', 'config']);
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(hint);
    expect(typesOf(events)).toEqual(['user-message', 'run-end']);
    expect(events[0]).toMatchObject({ text: 'go', turn: 0, source: 'synthetic' });
  });

  it('R-11 bypass is warned of, once, before anything else', async () => {
    const events = await readAll(play(answer('x'), { permission: 'bypass' }));
    expect(events[0]).toMatchObject({ type: 'warning', code: 'permission-bypass' });
    expect(typesOf(events).filter((type) => type === 'warning')).toHaveLength(1);
  });

  it('leaves no record behind', async () => {
    const handle = play(answer('x'));
    await handle.completion;
    expect(existsSync(path.join(process.env.GLASSBOX_STATE_DIR ?? '', 'runs', `${handle.runId}.json`))).toBe(false);
  });
});
