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

test('J 2: nothing is done unasked, to where it is already, or to files that nobody meant', async () => {
  const { root, session, env } = await editedOnce();
  const rewind = (...args: string[]) => glassbox(['rewind', ...args], '', env);
  const now = () => readFileSync(path.join(root, 'a.ts'), 'utf8');
  // Between two turns somebody may have taken files back: only this one is before the turn whatever was done since.
  expect((await rewind(session.id)).stdout).toContain(`glassbox rewind ${session.id}@1 --before takes`);
  const there = await rewind(`${session.id}@1`, '--yes');
  expect(there.stdout).toBe('All files are as they were after turn 1.\nThe conversation would go on from its end.\n');
  const own = ['a.ts', './a.ts', path.join(root, 'a.ts'), root].map((name) =>
    rewind(`${session.id}@0`, name, '--json'),
  );
  const [listed, here, whole, folder] = await Promise.all(own);
  for (const found of [listed, whole, folder]) expect(found?.stdout).toContain('"path":"a.ts"');
  expect(here?.stderr).toContain('./a.ts would not change. Name files from the top of the project');
  expect((await rewind(`${session.id}@0`, '--patch', '--yes')).stderr).toContain('--patch asks for each part');
  expect(await rewind(`${session.id}@0`, '--yes')).toMatchObject({ status: 0 });
  const unasked = await rewind(session.id, '--undo', '--json');
  expect([unasked.status, now()]).toEqual([2, 'first\n']);
  const undone = await rewind(session.id, '--undo', '--json', '--yes');
  expect([JSON.parse(undone.stdout).files, now()]).toEqual([1, 'second\n']);
  expect((await glassbox(['rewind'], '', env)).stderr).toContain('Say which id@turn. See');
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
