/** `glassbox show` for somebody who reads: the conversation, by the pager where it is long; lines for everybody else. */
import { expect, test } from 'vitest';
import { ask, init, result, text, toolResult, toolUse } from '../fake-agent/lines.js';
import { fakeRun, newStore, openTerminal } from './fake-run.js';
import { glassbox } from './glassbox.js';

const lines = Array.from({ length: 60 }, (_, index) => `- point **${index}**`).join('\n');
const script = [
  init(),
  text(`Here is all:\n\n${lines}`),
  toolUse('t1', 'Bash', { command: 'ls' }),
  toolResult('t1', 'a\nb'),
  result('ok'),
];

test('a session reads like the conversation on a terminal, and is lines in a pipe', async () => {
  const env = { GLASSBOX_STORE: newStore() };
  await fakeRun(['run', 'claude', 'Tell me all'], script, { env });
  const isAlone = true;
  const paged = openTerminal(['show', 'latest'], [], { isAlone, env: { ...env, GLASSBOX_PAGER: 'sed s/^/page:/' } });
  expect(await paged.ended).toBe(0);
  expect(paged.text()).toContain('page:> Tell me all');
  expect(paged.text()).toContain('page:  • point 59');
  expect(paged.text()).toMatch(/page:✔ Bash ls +2 lines/);

  const whole = openTerminal(['show', 'latest', '--no-pager'], [], {
    isAlone,
    env: { ...env, GLASSBOX_PAGER: 'false' },
  });
  expect(await whole.ended).toBe(0);
  expect(whole.text()).toContain('  • point 59');
  // A pager that is not there is no reason to show nothing.
  const without = openTerminal(['show', 'latest'], [], { isAlone, env: { ...env, GLASSBOX_PAGER: 'no-such-pager' } });
  expect(await without.ended).toBe(0);
  expect(without.text()).toContain('  • point 59');

  const piped = await glassbox(['show', 'latest'], '', env);
  expect(piped.stdout).toContain('[claude] "Here is all:"');
  expect(piped.stdout).not.toContain('point 59');
  expect((await glassbox(['show', 'latest', '--format', 'conversation', '--full'], '', env)).stdout).toContain('  │ b');
});

test('what was asked and decided is part of it; without a name it is the latest session here', async () => {
  const env = { GLASSBOX_STORE: newStore() };
  const input = { command: 'rm -r cellar' };
  const asks = [
    init(),
    toolUse('t1', 'Bash', input),
    ask('q1', 't1', 'Bash', input),
    { hear: 'q1' },
    toolResult('t1', 'no', true),
    result('ok'),
  ];
  await fakeRun(['run', 'claude', 'Tidy up'], asks, { env, cwd: process.cwd() });
  const { stdout } = await glassbox(['show', '--format', 'conversation'], '', env);
  expect(stdout).toMatch(/^> Tidy up\n\n[⊘✖] Bash rm -r cellar/);
  expect(stdout).toContain('Denied because nobody was there to be asked');
  // For who listens, the same in words.
  const heard = await glassbox(['show', '--format', 'plain'], '', env);
  expect(heard.stdout).toMatch(/^You: Tidy up\n\n(Failed|Denied): Bash rm -r cellar/);
  expect(heard.stdout).not.toMatch(/[⊘✖✔▸│]/);
});

test('an agent that crashed or never started is no question without an answer', async () => {
  const env = { GLASSBOX_STORE: newStore() };
  await fakeRun(['run', 'claude', 'Tidy up'], [init(), { exit: 7 }], { env });
  const { stdout } = await glassbox(['show', 'latest', '--format', 'conversation'], '', env);
  expect(stdout).toMatch(/^> Tidy up\n[\s\S]*✖ The agent crashed: .*status 7/);
});
