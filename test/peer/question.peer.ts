/** The real Claude Code at a terminal: what one key says about its question reaches it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openTerminal } from '../cli/fake-run.js';
import { claude } from './agent/claude.js';
import { sequence } from './model/turn.js';
import { createStage, type Stage } from './stage.js';

let stage: Stage | undefined;

afterEach(async () => {
  await stage?.[Symbol.asyncDispose]();
  stage = undefined;
});

test('y allows, n denies and says why', async () => {
  stage = await createStage(claude, () =>
    sequence(claude.shell('touch allowed.txt'), claude.shell('touch denied.txt'), { text: 'As you like.' }),
  );
  const { program, env, sandbox, model } = stage;
  const words = ['run', 'claude', 'please go on', '--format=live', '--program', program, '--cwd', sandbox.cwd];
  const own = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const screen = openTerminal(words, [], { isAlone: true, env: own });
  await screen.goesOn('touch allowed.txt');
  await screen.goesOn('one key answers');
  screen.type('y');
  await screen.goesOn('touch denied.txt');
  await screen.goesOn('one key answers');
  expect(existsSync(path.join(sandbox.cwd, 'allowed.txt'))).toBe(true);
  screen.type('n');
  await screen.goesOn('Why not');
  screen.type('keep the cellar\r');
  expect(await screen.ended).toBe(0);
  expect(existsSync(path.join(sandbox.cwd, 'denied.txt'))).toBe(false);
  expect(JSON.stringify(model.calls)).toContain('keep the cellar');
});
