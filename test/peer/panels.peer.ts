/** The real Claude Code, run by this process, decided in the panels of another one: each key reaches it as it was meant. */
import { existsSync } from 'node:fs';
import { Terminal } from '@xterm/headless';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/run/index.js';
import { keepRun, openStore } from '../../src/store/index.js';
import { newStore, openTerminal } from '../cli/fake-run.js';
import { claude } from './agent/claude.js';
import { sequence } from './model/turn.js';
import { createStage } from './stage.js';

const SIZE = { cols: 120, rows: 40 };

async function rowsOf(output: string): Promise<string> {
  const terminal = new Terminal({ ...SIZE, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(output, resolve));
  const { active } = terminal.buffer;
  return Array.from({ length: SIZE.rows }, (_, row) => active.getLine(row)?.translateToString(true) ?? '').join('\n');
}

test('the keys of the panels allow, deny with a reason and change what it asks for', async () => {
  const names = ['allowed.txt', 'denied.txt', 'wrong.txt'] as const;
  await using stage = await createStage(claude, () =>
    sequence(...names.map((name) => claude.shell(`touch ${name}`)), { text: 'All is said.' }),
  );
  const { program, env, sandbox, model } = stage;
  const location = newStore();
  const store = await openStore(location);
  onTestFinished(() => store.close());
  const request = { agent: 'claude', prompt: 'Begin', program, env, cwd: sandbox.cwd, attended: true };
  const { done } = keepRun(run(request, { approvalTimeoutMs: 0 }), { store });
  const surroundings = { GLASSBOX_STORE: location, EDITOR: 'sed -i s/wrong.txt/edited.txt/' };
  const screen = openTerminal(['tui'], [], { isAlone: true, env: surroundings });
  for (const [index, keys] of ['y', 'nnot this one\r', 'e'].entries()) {
    // The box alone has the command in a row of its own.
    const question = new RegExp(`│ +touch ${names[index]} +│[\\s\\S]*one key answers`);
    await expect.poll(() => rowsOf(screen.text()), { timeout: 100_000, interval: 100 }).toMatch(question);
    screen.type(keys);
  }
  await done;
  await expect.poll(() => rowsOf(screen.text()), { timeout: 60_000, interval: 100 }).toContain('All is said.');
  screen.type('q');
  expect(await screen.ended).toBe(0);
  const made = [...names, 'edited.txt'].filter((name) => existsSync(sandbox.file(name)));
  expect(made).toEqual(['allowed.txt', 'edited.txt']);
  expect(JSON.stringify(model.calls)).toContain('not this one');
});
