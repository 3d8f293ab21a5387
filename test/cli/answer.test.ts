/** Questions of agents, answered from another terminal: by their code, or one after the other. */
import { expect, test } from 'vitest';
import { ask, init, inSession, result, text, toolUse } from '../fake-agent/lines.js';
import { type environment, newStore, openTerminal, reached } from './fake-run.js';
import { glassbox } from './glassbox.js';
import { expectSane } from './screen-of.js';

const asks = (command: string) => [
  init(),
  text('looking'),
  toolUse('t1', 'Bash', { command }),
  ask('asked-1', 't1', 'Bash', { command }),
  { hear: 'asked-1' },
  result('ok'),
];

/** A run that waits at its own terminal, and others that reach it over the store. */
async function waitingRun(script: Parameters<typeof environment>[0], shown: string) {
  const env = { GLASSBOX_STORE: newStore() };
  const screen = openTerminal(['run', 'claude', 'Tidy up'], script, { env });
  await screen.shows(shown);
  const elsewhere = (...args: string[]) => glassbox(args, '', env);
  await reached('Tidy up', 'waiting', env);
  return { screen, env, elsewhere };
}

const codeIn = (shown: string): string => /glassbox (?:approve|answer) (\w+\.\w+)/.exec(shown)?.[1] ?? '';

test('by the id of its session a question is shown whole, with its code; by the code it is allowed, once, and recorded', async () => {
  const { screen, elsewhere } = await waitingRun(asks('rm -r cellar'), 'allow once');
  const shown = await elsewhere('approve');
  expect(shown).toMatchObject({ status: 2, stderr: expect.stringContaining('Nothing was answered') });
  expect(shown.stdout).toContain('Run a command');
  expect(shown.stdout).toContain('rm -r cellar');
  const code = codeIn(shown.stdout);
  const [session = ''] = code.split('.');
  expect(await elsewhere('approve', `${session}.000000`)).toMatchObject({
    status: 3,
    stdout: '',
    stderr: expect.stringMatching(/no longer asked.*something else: glassbox next/),
  });
  expect(await elsewhere('answer', code, 'yes')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('wants leave'),
  });
  expect(await elsewhere('approve', code, '--always', '7')).toMatchObject({ status: 2, stdout: '' });
  const allowed = await elsewhere('approve', code);
  expect(allowed).toMatchObject({ status: 0, stdout: `Allowed ${session}: Run a command: rm -r cellar\n` });
  await screen.shows('allowed by');
  expect(await screen.ended).toBe(0);
  expect(await elsewhere('approve', code)).toMatchObject({ status: 3, stderr: expect.stringContaining('has ended') });
  const kept = (await elsewhere('show', session, '--json')).stdout;
  expect(kept).toMatch(
    /"type":"approval-resolve".*"by":"person","who":"[^"]+","host":"[^"]+","via":"terminal","decision":"allow"/,
  );
});

test('a refusal tells the agent why', async () => {
  const { screen, elsewhere } = await waitingRun(asks('rm -r cellar'), 'allow once');
  const [listed = '{}'] = (await elsewhere('ps', '--json')).stdout.split('\n');
  const [{ code }] = JSON.parse(listed).approvals;
  expect((await elsewhere('deny', code, 'Keep', 'the cellar')).status).toBe(0);
  expect(await screen.ended).toBe(0);
  expect((await elsewhere('show', 'latest', '--json')).stdout).toContain('"message":"Keep the cellar"');
});

test('a question is answered by a number or by words, and by nobody inside a run', async () => {
  const questions = [
    { question: 'Which store?', header: 'Store', options: [{ label: 'SQLite' }, { label: 'Postgres' }] },
  ];
  const script = [
    init(),
    toolUse('t1', 'AskUserQuestion', { questions }),
    ask('asked-1', 't1', 'AskUserQuestion', { questions }),
    { hear: 'asked-1' },
    result('ok'),
  ];
  const { screen, env, elsewhere } = await waitingRun(script, 'Your answer');
  const code = codeIn((await elsewhere('next')).stdout);
  expect(await elsewhere('approve', code)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('glassbox answer'),
  });
  expect(await elsewhere('answer', code, '7')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('There is no 7'),
  });
  const inside = await glassbox(['answer', code, '2'], '', { ...env, GLASSBOX_RUN_ID: 'another' });
  expect(inside).toMatchObject({ status: 3, stdout: '', stderr: expect.stringContaining('from inside a run') });
  expect((await elsewhere('answer', code, '2')).stdout).toMatch(/^Answered \w+: /);
  expect(await screen.ended).toBe(0);
  const { stdout } = await elsewhere('show', 'latest', '--json');
  expect(stdout).toContain('"answers":{"Which store?":"Postgres"}');
  expect(stdout).toContain('tried to answer for you');
});

test('one question after the other is answered at a terminal; what is left stays open, what is settled elsewhere goes', async () => {
  const { env, elsewhere } = await waitingRun(asks('rm -r cellar'), 'allow once');
  const other = openTerminal(['run', 'claude', 'Go on'], inSession('another', asks('rm -r attic')), { env });
  await other.shows('allow once');
  await reached('Go on', 'waiting', env);

  const person = openTerminal(['next'], [], { env, isAlone: true });
  await person.shows(/· Tidy up[\s\S]*rm -r cellar[\s\S]*one key answers/);
  person.type('l');
  await person.goesOn('Left open: Run a command: rm -r cellar');
  await person.goesOn(/rm -r attic[\s\S]*one key answers/);
  const [code = ''] = /\w+\.\w+/.exec((await elsewhere('approve')).stdout.split('rm -r attic')[1] ?? '') ?? [];
  expect((await elsewhere('approve', code)).status).toBe(0);
  await person.goesOn('It is no longer asked.');
  expect(await person.ended).toBe(0);
  expect(await other.ended).toBe(0);

  const again = openTerminal(['next'], [], { env, isAlone: true });
  await again.shows(/rm -r cellar[\s\S]*one key answers/);
  again.type('\u0003');
  await again.shows('Left open.');
  expect(await again.ended).toBe(130);
  expectSane(again.text());
  expect((await elsewhere('ps')).stdout).toContain('asks: Run a command: rm -r cellar');

  const last = openTerminal(['next'], [], { env, isAlone: true });
  await last.shows(/rm -r cellar[\s\S]*one key answers/);
  last.type('n');
  await last.goesOn('Why not');
  last.type('not the cellar\r');
  await last.goesOn(/Denied by .*: Run a command: rm -r cellar/);
  expect(await last.ended).toBe(0);
  expectSane(last.text());
  expect((await elsewhere('next')).stderr).toContain('no agent waits for an answer');
});
