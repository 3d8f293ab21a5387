/** Agents that work, looked at and steered from another terminal. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { ask, init, interruptedResult, result, text, toolUse } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { environment, newStore, openTerminal, reached } from './fake-run.js';
import { glassbox, start } from './glassbox.js';

/** A run in a process of its own, and the store over which others reach it. */
function startRun(script: Parameters<typeof environment>[0], ...flags: string[]) {
  const env = { GLASSBOX_STORE: newStore() };
  const started = start(['run', 'claude', 'Tidy up', '--program', FAKE_AGENT, ...flags], environment(script, env));
  const elsewhere = (...args: string[]) => glassbox(args, '', env);
  const printed = async (words: string) => {
    await started.printed(words);
    await reached('Tidy up', 'running', env);
  };
  return { ...started, printed, env, elsewhere };
}

const input = { command: 'rm -r cellar' };
const asking = [
  init(),
  text('looking'),
  toolUse('t1', 'Bash', input),
  ask('asked-1', 't1', 'Bash', input),
  { hear: 'asked-1' },
  result('ok'),
];

test('what works is listed, waited for, and ended; the id may be left out when there is one', async () => {
  const { ended, printed, elsewhere } = startRun([init(), text('working'), { hearEnd: true }]);
  await printed('working');
  const { stdout } = await elsewhere('ps', '--json');
  const live = JSON.parse(stdout);
  expect(live).toMatchObject({ title: 'Tidy up', state: 'running', approvals: [] });
  expect((await elsewhere('ps')).stdout).toMatch(new RegExp(`^${live.id}.*● working.*Tidy up\n$`));

  const waiting = elsewhere('wait', live.id.slice(0, 4));
  expect(await elsewhere('stop')).toMatchObject({ stdout: `${live.id} is being ended.\n`, status: 0 });
  expect(await ended).toMatchObject({ stdout: expect.stringContaining('Interrupted: ended by the user') });
  expect(await waiting).toMatchObject({ stdout: `${live.id} has ended: cancelled.\n`, status: 130 });
  expect(await elsewhere('stop', live.id)).toMatchObject({ status: 3, stderr: expect.stringContaining('has ended') });
  expect(await elsewhere('ps')).toMatchObject({ stdout: '', stderr: expect.stringContaining('no agent is at work') });
});

test('a turn is interrupted from elsewhere', async () => {
  const script = [init(), text('working'), { hear: '"subtype":"interrupt"' }, interruptedResult(), { hearEnd: true }];
  const { printed, ended, elsewhere } = startRun(script);
  await printed('working');
  expect(await elsewhere('interrupt')).toMatchObject({
    stdout: expect.stringMatching(/^Interrupted \w+\.\n$/),
    status: 0,
  });
  expect((await ended).stdout).toContain('Interrupted by the user');
});

test('of several live ones it has to be said which; one hears what is said to it, one cannot, and says so', async () => {
  const one = startRun([init(), text('working'), { hearEnd: true }]);
  const env = { ...one.env };
  const other = init({ session_id: '22222222-2222-4333-8444-555555555555' });
  const script = [other, { file: path.join(temporaryDirectory(), 'never') }];
  const flags = ['--permission', 'bypass', '--program', FAKE_AGENT];
  const two = start(['run', 'claude', 'Wash up', ...flags], environment(script, env));
  const live = async (): Promise<Record<string, string>> => {
    const { stdout } = await one.elsewhere('ps', '--json');
    const sessions = stdout.split('\n').flatMap((line) => (line ? [JSON.parse(line)] : []));
    return Object.fromEntries(sessions.map(({ title, id }) => [title, id]));
  };
  await expect.poll(async () => Object.keys(await live()).sort()).toEqual(['Tidy up', 'Wash up']);
  const { stderr, status } = await one.elsewhere('stop');
  expect(status).toBe(2);
  expect(stderr).toMatch(/Say which one: \w+, \w+\. glassbox ps/);
  const { 'Tidy up': tidying = '', 'Wash up': washing = '' } = await live();
  expect((await one.elsewhere('say', tidying, 'Leave', 'the', 'cellar')).stdout).toBe(`Said to ${tidying}.\n`);
  expect(await one.elsewhere('say', washing, 'Wait')).toMatchObject({
    stdout: '',
    status: 2,
    stderr: expect.stringContaining('takes no messages while it works'),
  });
  for (const id of [tidying, washing]) expect((await one.elsewhere('stop', id)).status).toBe(0);
  expect((await one.elsewhere('show', tidying, '--json')).stdout).toContain('"text":"Leave the cellar"');
  await Promise.all([one.ended, two.ended]);
});

test('nobody inside a run steers one: it is refused and told there', async () => {
  const { printed, ended, env, elsewhere } = startRun([init(), text('working'), { hearEnd: true }]);
  await printed('working');
  expect(await glassbox(['stop'], '', { ...env, GLASSBOX_RUN_ID: 'another' })).toMatchObject({
    stdout: '',
    status: 3,
    stderr: expect.stringContaining('from inside a run'),
  });
  await elsewhere('stop');
  expect((await ended).stdout).toContain('tried to stop this run. It was refused.');
});

test('what waits is listed first, with what it asks for', async () => {
  const env = { GLASSBOX_STORE: newStore() };
  const screen = openTerminal(['run', 'claude', 'Tidy up'], asking, { env });
  await screen.shows('one key answers');
  await reached('Tidy up', 'waiting', env);
  expect(await glassbox(['wait', '--for', 'waiting'], '', env)).toMatchObject({
    stdout: expect.stringMatching(/^\w+ waits for an answer\.\n$/),
    status: 0,
  });
  const { stdout } = await glassbox(['ps'], '', env);
  expect(stdout).toMatch(/◆ waiting.*Tidy up\n {2}asks: Run a command: rm -r cellar\n$/);
  const late = await glassbox(['wait', '--timeout', '1ms'], '', env);
  expect(late).toMatchObject({
    stdout: '',
    status: 124,
    stderr: expect.stringMatching(/the time is over; \w+ is waiting\./),
  });
  screen.type('n');
  await screen.goesOn('Why not');
  screen.type('\r');
  await screen.ended;
  expect(await glassbox(['wait', 'latest', '--for', 'waiting'], '', env)).toMatchObject({ status: 1 });
});
