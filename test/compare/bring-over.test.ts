/** What was done in one work tree comes into another: exactly, never over what somebody changed, and back again. Real git. */
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bringOver, differenceSize, keepMoment, rewind, undoRewind } from '../../src/checkpoint/index.js';
import { filesOf, git, makeRepository, ownOf, write } from '../checkpoint/repository.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const FILES = { 'a.txt': 'a\n', 'b/c.txt': 'c\n', 'gone.txt': 'g\n', run: '#!/bin/sh\n', '.gitignore': 'ignored\n' };

/** Someone works in a second work tree; gives the commits before and after. */
async function attempted(work: (folder: string) => void, settings: readonly string[] = []) {
  const root = makeRepository(FILES);
  for (const setting of settings) git(root, 'config', ...setting.split('='));
  // As these settings have it.
  for (const name of Object.keys(FILES)) rmSync(path.join(root, name));
  git(root, 'checkout', '-q', '--', '.');
  const folder = path.join(temporaryDirectory(), 'tree');
  git(root, 'worktree', 'add', '-q', '-b', 'attempt', folder);
  const dir = temporaryDirectory();
  const before = await keepMoment(folder, 'refs/glassbox/test/before', dir);
  work(folder);
  const after = await keepMoment(folder, 'refs/glassbox/test/after', dir);
  return { root, folder, dir, before, after };
}

const everything = (folder: string): void => {
  write(folder, { 'a.txt': 'A\r\nmore', 'new/ünï cödé.txt': 'n\n', 'bytes.bin': new Uint8Array([0, 255, 10, 13]) });
  rmSync(path.join(folder, 'gone.txt'));
  renameSync(path.join(folder, 'b/c.txt'), path.join(folder, 'moved.txt'));
  chmodSync(path.join(folder, 'run'), 0o755);
  symlinkSync('a.txt', path.join(folder, 'link'));
  writeFileSync(path.join(folder, 'ignored'), 'not part of it');
};

test.each([[[]], [['core.autocrlf=true']]])('all sorts of changes, exactly, and back (%s)', async (settings) => {
  const { root, folder, dir, before, after } = await attempted(everything, settings);
  // Committed or not is the same.
  git(folder, 'add', 'a.txt');
  git(folder, 'commit', '-qm', 'partly');
  const own = ownOf(root);
  const files = filesOf(root);
  const { plan, inTheWay } = await bringOver(root, before, after, dir);
  expect(inTheWay).toEqual([]);
  expect(await differenceSize(root, before, after, dir)).toMatchObject({ files: 8 });
  expect(await rewind(plan, { session: 's', to: 'x' }, {}, dir)).toMatchObject({ files: 8, left: [] });
  const { ignored: _, ...there } = filesOf(folder);
  expect(filesOf(root)).toEqual(there);
  const again = await bringOver(root, before, after, dir);
  expect([again.plan.files, again.inTheWay]).toEqual([[], []]);
  expect(await undoRewind('s', dir)).toMatchObject({ files: 8, left: [] });
  expect(filesOf(root)).toEqual(files);
  expect(ownOf(root)).toEqual(own);
});

test.each<[why: string, mine: (root: string) => void, names: string[]]>([
  ['changed here', (root) => write(root, { 'a.txt': 'mine\n' }), ['a.txt']],
  ['deleted here', (root) => rmSync(path.join(root, 'a.txt')), ['a.txt']],
  ['made here, otherwise', (root) => write(root, { 'moved.txt': 'mine' }), ['moved.txt']],
  ['a file where a folder is to be', (root) => write(root, { new: 'mine' }), ['new/ünï cödé.txt']],
  ['a folder where a file is to be', (root) => write(root, { 'moved.txt/x': 'mine' }), ['moved.txt']],
  ['executable here', (root) => chmodSync(path.join(root, 'a.txt'), 0o755), ['a.txt']],
  [
    'ignored here, so that it could not be had back',
    (root) => {
      write(root, { '.git/info/exclude': 'link\n', link: 'mine' });
    },
    ['link'],
  ],
  [
    'committed here',
    (root) => {
      write(root, { 'gone.txt': 'mine\n' });
      git(root, 'commit', '-qam', 'mine');
    },
    ['gone.txt'],
  ],
])('nothing is written over what is %s', async (_, mine, names) => {
  const { root, dir, before, after } = await attempted(everything);
  mine(root);
  const files = filesOf(root);
  const { plan, inTheWay } = await bringOver(root, before, after, dir);
  expect(inTheWay).toEqual(names);
  await rewind(plan, { session: 's', to: 'x' }, {}, dir);
  expect(filesOf(root)).toEqual(files);
});

test('what is the same here already, or of no matter, is not in the way', async () => {
  const { root, dir, before, after } = await attempted(everything);
  mkdirSync(path.join(root, 'new'));
  write(root, { 'a.txt': 'A\r\nmore', 'other.txt': 'mine' });
  const { plan, inTheWay } = await bringOver(root, before, after, dir);
  expect(inTheWay).toEqual([]);
  expect(plan.files.map((file) => file.path)).not.toContain('a.txt');
  await rewind(plan, { session: 's', to: 'x' }, {}, dir);
  expect(filesOf(root)).toMatchObject({ 'other.txt': '- mine', 'moved.txt': '- c\n', run: 'x #!/bin/sh\n' });
});
