/** A session of the panels is taken back by a key, as `glassbox rewind` does it: shown, asked, done, undone. */
import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/index.js';
import { makeRepository } from '../checkpoint/repository.js';
import { toolResult, toolUse } from '../fake-agent/lines.js';
import { playSession } from '../review/played-session.js';
import { newStore, openTerminal } from './fake-run.js';
import { glassbox } from './glassbox.js';

test('J 2: b lists the turns, shows the difference, asks, takes back; and u undoes it', async () => {
  const { root, session, env } = await editedOnce();
  const now = () => readFileSync(path.join(root, 'a.ts'), 'utf8');

  const screen = openTerminal([], [], { isAlone: true, env });
  await screen.shows('b take back');
  screen.type('b');
  await screen.goesOn(`Back to which turn of ${session.id}?`);
  screen.type('0\r');
  await screen.goesOn('To how the files were before turn 1');
  await screen.goesOn('-second');
  await screen.goesOn('+first');
  await screen.goesOn('The conversation would go on as a new conversation.');
  await screen.goesOn('Take 1 file and the conversation back? [y/N]');
  expect(now()).toBe('second\n');
  screen.type('y\r');
  await screen.goesOn('Took 1 file back.');
  await screen.goesOn('The next message goes on as a new conversation.');
  expect(now()).toBe('first\n');
  await screen.goesOn('Enter goes back to the panels.');
  screen.type('\r');
  await screen.goesOn('b take back');

  screen.type('b');
  await screen.goesOn('u: undo');
  screen.type('u\r');
  await screen.goesOn('Take the last rewind');
  screen.type('y\r');
  await screen.goesOn('Took 1 file back.');
  expect(now()).toBe('second\n');
  await screen.goesOn('Enter goes back to the panels.');
  screen.type('\r');
  await screen.goesOn('b take back');
  screen.type('?');
  await screen.goesOn('go on with an ended one; take back');
  screen.type('q');
  screen.type('q');
  expect(await screen.ended).toBe(0);

  const { stdout } = await glassbox(['rewind', `${session.id}@0`, '--files-only', '--dry-run'], '', env);
  expect(stdout).not.toContain('conversation');
});

test('a rewind is not taken back while an agent works on these files', async () => {
  const { root, store, session, env } = await editedOnce();
  const rewind = (...args: string[]) => glassbox(['rewind', ...args, '--yes'], '', env);
  expect(await rewind(session.id, '--undo')).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('There is no rewind of'),
  });
  expect(await rewind(`${session.id}@0`)).toMatchObject({ status: 0 });
  await store.startRun({ runId: 'other', agent: 'fake', startedAt: Date.now(), cwd: root });
  const refused = await rewind(session.id, '--undo');
  expect([refused.status, readFileSync(path.join(root, 'a.ts'), 'utf8')]).toEqual([3, 'first\n']);
  expect(refused.stderr).toContain('on these files now. End it first');
  await store.endRun('other');
  expect(await rewind(session.id, '--undo')).toMatchObject({ status: 0 });
  expect(readFileSync(path.join(root, 'a.ts'), 'utf8')).toBe('second\n');
});

/** A session of one turn, which changed one file. */
async function editedOnce() {
  const root = realpathSync(makeRepository({ 'a.ts': 'first\n' }));
  const location = newStore();
  const store = await openStore(location);
  onTestFinished(() => store.close());
  const turn = [toolUse('t1', 'Edit', {}), { files: { 'a.ts': 'second\n' } }, toolResult('t1', 'ok')];
  const { session } = await playSession(root, [turn], store);
  const env = { GLASSBOX_STORE: location, GLASSBOX_STATE_DIR: process.env.GLASSBOX_STATE_DIR ?? '' };
  return { root, store, session, env };
}
