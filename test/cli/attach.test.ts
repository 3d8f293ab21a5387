/** `--attach`: files beside the words reach the agent, with the first ones and while it works; what it cannot take is refused before anything starts. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { answer, init, result, type Step, text } from '../fake-agent/lines.js';
import { PICTURE } from '../fake-agent/picture.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';
import { environment, fakeRun, newStore } from './fake-run.js';
import { glassbox, start } from './glassbox.js';

const BASE64 = PICTURE.toString('base64');

function folder(): { cwd: string; log: string; env: Record<string, string> } {
  const cwd = temporaryDirectory();
  writeFileSync(path.join(cwd, 'shot.png'), PICTURE);
  writeFileSync(path.join(cwd, 'plan.pdf'), '%PDF-1.7\n');
  writeFileSync(path.join(cwd, 'notes.png'), 'words, whatever the name says');
  const log = path.join(temporaryDirectory(), 'log');
  return {
    cwd,
    log,
    env: { FAKE_AGENT_LOG: log, GLASSBOX_STORE: newStore(), GLASSBOX_STATE_DIR: temporaryDirectory() },
  };
}

const heard = (log: string): string => readFileSync(log, 'utf8');

test('run: the agent is given the content, and what is kept tells only of it', async () => {
  const { cwd, log, env } = folder();
  const files = ['--attach', path.join(cwd, 'shot.png'), '--attach', path.join(cwd, 'plan.pdf')];
  const { status, stdout } = await fakeRun(
    ['run', 'claude', 'Like this', ...files],
    [init(), { hear: 'Like this' }, text('Seen.'), result('Seen.')],
    {
      env,
      cwd,
    },
  );
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining('"Seen."') });
  expect(heard(log)).toContain(BASE64);
  expect(heard(log)).toContain('application/pdf');
  expect(heard(log)).toContain('Like this');
  const [line = ''] = (await glassbox(['sessions', '--json'], '', env)).stdout.split('\n');
  const kept = (await glassbox(['show', JSON.parse(line).id, '--json'], '', env)).stdout;
  expect(kept).toContain('"name":"shot.png"');
  expect(kept).not.toContain(BASE64.slice(0, 30));
});

test.each([
  ['what is no picture', 'claude', ['notes.png'], 2, 'notes.png is no picture'],
  ['what is not there', 'claude', ['gone.png'], 3, 'gone.png cannot be attached: it cannot be read.'],
  ['an agent that takes none', 'gemini', ['shot.png'], 2, 'cannot be given files beside the words'],
  ['an agent that takes pictures alone', 'codex', ['plan.pdf'], 2, 'it takes pictures alone'],
  ['too many', 'claude', Array<string>(11).fill('shot.png'), 2, 'At most 10 files'],
])('run: %s is refused, and nothing starts', async (_, agent, names, expected, words) => {
  const { cwd, env } = folder();
  const files = names.flatMap((name) => ['--attach', path.join(cwd, name)]);
  const { status, stderr, stdout } = await fakeRun(['run', agent, 'x', ...files], answer('Seen.'), { env, cwd });
  expect(status).toBe(expected);
  expect(stdout + stderr).toContain(words);
  expect(stdout).not.toContain('Seen.');
});

test('say: an agent that works hears the words with the file', async () => {
  const { cwd, log, env } = folder();
  const script: Step[] = [init(), text('working'), { hear: 'Like that' }, result('Seen.'), { hearEnd: true }];
  const run = start(['run', 'claude', 'Begin', '--program', FAKE_AGENT, '--cwd', cwd], environment(script, env));
  await run.printed('working');
  await expect.poll(async () => (await glassbox(['ps', '--json'], '', env)).stdout).not.toBe('');
  const { id } = JSON.parse((await glassbox(['ps', '--json'], '', env)).stdout);
  const say = (name: string) => glassbox(['say', id, 'Like that', '--attach', path.join(cwd, name)], '', env);
  expect(await say('notes.png')).toMatchObject({ status: 2, stderr: expect.stringContaining('is no picture') });
  const said = await say('shot.png');
  expect(said).toMatchObject({ status: 0, stdout: `Said to ${id}.\n` });
  await expect.poll(() => heard(log)).toContain(BASE64);
  await glassbox(['stop', id], '', env);
  await run.ended;
});
