/** The real Claude Code, handed over to its own program and back: it knows there what was done here, and here what was done there. */
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { newStore, openTerminal } from '../cli/fake-run.js';
import { screenOf } from '../cli/screen-of.js';
import { claude } from './agent/claude.js';
import { gate, sequence } from './model/turn.js';
import { createStage } from './stage.js';

const CTRL_T = '\u0014';

test('Ctrl-T opens the session in its own program; when that ends, glassbox tells what happened there and goes on', async () => {
  const held = gate();
  await using stage = await createStage(claude, () => (call) => {
    if (call.text.includes('Now here again')) return { text: 'Here the word is kettle.' };
    if (call.text.includes('Now by hand')) return { text: 'There the word is teapot.' };
    return sequence({ text: 'I begin with the work.', hold: held.promise })(call);
  });
  const { program, env, sandbox, model } = stage;
  claude.introduce?.(sandbox);
  // Where its settings are named, it looks for all of them there.
  const settings = path.join(sandbox.home, '.claude');
  mkdirSync(settings, { recursive: true });
  copyFileSync(path.join(sandbox.home, '.claude.json'), path.join(settings, '.claude.json'));
  const words = ['run', 'claude', 'Begin the work', '--format=live', '--program', program, '--cwd', sandbox.cwd];
  const location = newStore();
  const own = Object.fromEntries(
    Object.entries({ ...env, CLAUDE_CONFIG_DIR: settings, GLASSBOX_STORE: location, TERM: 'xterm-256color' }).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, value]]),
    ),
  );
  const screen = openTerminal(words, [], { isAlone: true, env: own });
  const shows = (wanted: string | RegExp) =>
    expect.poll(() => screenOf(screen.text()), { timeout: 60_000, interval: 200 }).toMatch(wanted);
  await screen.shows('Waiting for the model');
  await expect.poll(() => model.calls.length, { timeout: 60_000 }).toBeGreaterThan(0);
  screen.type(CTRL_T);
  await screen.goesOn('Once more interrupts it');
  screen.type(CTRL_T);
  await screen.goesOn('opening it in Claude Code');
  held.open();
  // What is typed while it is busy drawing is lost, and an empty line says nothing.
  const insists = (keys: string, until: string) =>
    expect
      .poll(
        async () => {
          const isThere = (await screenOf(screen.text())).includes(until);
          if (!isThere) screen.type(keys);
          return isThere;
        },
        { timeout: 90_000, interval: 2000 },
      )
      .toBe(true);
  await insists('\u0015Now by hand', 'Now by hand');
  await insists('\r', 'There the word is teapot.');
  await insists('\u0015/exit', '/exit');
  await insists('\r', 'back from Claude Code');
  await screen.goesOn('back from Claude Code');
  await shows(/> Now by hand\s+There the word is teapot\.[\s\S]*back from Claude Code · Enter goes on/);
  screen.type('Now here again\r');
  await screen.goesOn('Here the word is kettle.');
  expect(await screen.ended).toBe(0);
  const last = JSON.stringify(model.calls.at(-1));
  for (const said of ['Begin the work', 'Now by hand', 'There the word is teapot.', 'Now here again'])
    expect(last).toContain(said);
  // Three calls, each counted once, and every turn told to its end.
  const store = await openStore(location);
  onTestFinished(() => store.close());
  const [session] = (await store.list()).items;
  expect(session?.runs).toHaveLength(3);
  for (const { usage, runId } of session?.runs ?? []) {
    expect(usage).toMatchObject({ inputTokens: 100, cacheReadTokens: 3000 });
    for await (const event of store.read(runId))
      if (event.type === 'turn-end') expect(event.outcome).not.toBe('unknown');
  }
});
