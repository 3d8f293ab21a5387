/** What a session changed, and what became of it, with real git. */
import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changeLines, findStretch, hunksOf, sessionChanges } from '../../src/checkpoint/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { played } from './played.js';
import { git, makeRepository, write } from './repository.js';

const lines = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join('');

test('every file has its turns and its honest state', async () => {
  const root = makeRepository({
    left: '1\n',
    since: '1\n',
    back: '1\n',
    'in a commit': '1\n',
    theirs: '1\n',
    gone: '1\n',
  });
  const { turns, dir } = await played(
    root,
    () => {
      write(root, { left: '2\n', since: '2\n', back: '2\n', 'in a commit': '2\n', passing: 'x', 'new/ö': 'n\n' });
      rmSync(path.join(root, 'gone'));
    },
    () => {
      write(root, { left: '3\n' });
      rmSync(path.join(root, 'passing'));
    },
  );
  write(root, { since: '9\n', back: '1\n', theirs: 'not of the session\n' });
  git(root, 'add', 'in a commit', 'gone');
  git(root, 'commit', '-qm', 'kept it');
  const { files, ...facts } = await sessionChanges(turns, undefined, dir);
  expect(facts).toEqual({ top: root, kind: 'git', branch: 'main', more: 0, missing: [] });
  const commit = { id: git(root, 'rev-parse', 'HEAD').trim(), subject: 'kept it' };
  expect(files.map(({ version: _, lines: __, ...file }) => file)).toEqual([
    { path: 'back', change: 'changed', turns: [1], state: 'reverted' },
    { path: 'gone', change: 'deleted', turns: [1], state: 'as-left', commit },
    { path: 'in a commit', change: 'changed', turns: [1], state: 'as-left', commit },
    { path: 'left', change: 'changed', turns: [1, 2], state: 'as-left' },
    { path: 'new/ö', change: 'added', turns: [1], state: 'as-left' },
    { path: 'since', change: 'changed', turns: [1], state: 'changed-since' },
  ]);
  const brief = await sessionChanges(turns, { brief: true }, dir);
  expect(brief).toEqual({
    top: root,
    kind: 'git',
    more: 0,
    missing: [],
    files: files.map(({ state: _, commit: __, ...file }) => file),
  });
  const [second] = (await sessionChanges(turns, { turn: 2 }, dir)).files;
  expect(second).toMatchObject({ path: 'left', turns: [2], lines: { added: 1, removed: 1 } });
  await expect(sessionChanges(turns, { turn: 3 }, dir)).rejects.toThrow('before and after turn 3 are not kept');
});

test('what somebody else changed in between is not of the session, and told where both did', async () => {
  const root = temporaryDirectory();
  write(root, { both: '1\n', other: '1\n' });
  const { turns, dir } = await played(
    root,
    () => write(root, { both: '2\n' }),
    { between: () => write(root, { both: '3\n', other: '2\n' }) },
    () => write(root, { both: '4\n', own: '1\n' }),
  );
  const { files, kind, branch } = await sessionChanges(turns, undefined, dir);
  expect({ kind, branch }).toEqual({ kind: 'plain', branch: undefined });
  expect(files).toMatchObject([
    { path: 'both', turns: [1, 2], byOthers: true },
    { path: 'own', turns: [2] },
  ]);
  expect(files[1]).not.toHaveProperty('byOthers');
});

test('a turn that goes on shows the files as they are, and one of which nothing is kept is named', async () => {
  const root = makeRepository({ f: '1\n' });
  const { turns, dir } = await played(root, () => write(root, { f: '2\n' }));
  const [{ after: _, ...open } = { turn: 1, runId: 'r' }] = turns;
  write(root, { f: '3\n' });
  expect((await sessionChanges([open], undefined, dir)).files).toMatchObject([{ path: 'f', state: 'under-way' }]);
  expect(await sessionChanges([...turns, { turn: 2, runId: 'elsewhere' }], undefined, dir)).toMatchObject({
    missing: [2],
  });
  await expect(sessionChanges([{ turn: 1, runId: 'r' }], undefined, dir)).rejects.toThrow('not kept on this machine');
});

test('lines have the numbers of the files, and their parts are those of the way back', async () => {
  const root = makeRepository({ f: lines(40), bin: '\0a', 'no end': 'x', 'we\'ird "näme\n': '1\n', link: '1\n' });
  const { turns, dir, plan } = await played(root, () => {
    write(root, { f: lines(40).replace('line 3\n', 'LINE 3\nmore\n').replace('line 30\n', ''), bin: '\0b' });
    write(root, { 'no end': 'y', 'we\'ird "näme\n': '2\n', 'z/new': 'diff --git a b\r\n@@ -1 +1 @@\r\n' });
    rmSync(path.join(root, 'link'));
    symlinkSync('f', path.join(root, 'link'));
    chmodSync(path.join(root, 'f'), 0o755);
  });
  const stretch = await findStretch(turns, undefined, dir);
  const { files, next } = await changeLines(stretch, { limit: 100 });
  expect(next).toBeUndefined();
  expect(files.map(({ path: name, hunks }) => [name, hunks.length])).toEqual([
    ['bin', 0],
    ['f', 2],
    ['link', 0],
    ['no end', 1],
    ['we\'ird "näme\n', 1],
    ['z/new', 1],
  ]);
  const [first, second] = files[1]?.hunks ?? [];
  expect(first).toMatchObject({ oldStart: 1, newStart: 1 });
  expect(first?.lines.slice(3, 6)).toEqual(['-line 3', '+LINE 3', '+more']);
  expect(second).toMatchObject({ oldStart: 28, newStart: 29 });
  expect(files[3]?.hunks).toEqual([{ oldStart: 1, newStart: 1, lines: ['-x', '+y'] }]);
  expect(files[5]?.hunks[0]?.lines).toEqual(['+diff --git a b\r', '+@@ -1 +1 @@\r']);
  const back = await hunksOf(await plan(0), 'f');
  expect(back.map(({ oldStart, newStart }) => [newStart, oldStart])).toEqual(
    files[1]?.hunks.map(({ oldStart, newStart }) => [oldStart, newStart]),
  );
  expect(await changeLines(stretch, { from: 'f', limit: 1 })).toMatchObject({ files: [{ path: 'f' }], next: 'link' });
  expect(await changeLines(stretch, { from: 'nowhere', limit: 1 })).toEqual({ files: [] });
});

test('what is remembered of a session that is over is forgotten with its repository', async () => {
  const root = makeRepository({ f: '1\n' });
  const { turns, dir } = await played(root, () => write(root, { f: '2\n' }));
  const known = await findStretch(turns, undefined, dir);
  expect(await findStretch(turns, undefined, dir)).toBe(known);
  expect(await findStretch(turns, 1, dir)).toMatchObject({ from: known.from, to: known.to });
  git(root, 'config', 'core.filemode', 'false');
  const settled = await findStretch(turns, undefined, dir);
  expect(settled).not.toBe(known);
  expect(settled.workTree.ours().settings).toContain('core.filemode=false');
  rmSync(path.join(root, '.git'), { recursive: true });
  git(root, 'init', '-q');
  await expect(sessionChanges(turns, undefined, dir)).rejects.toThrow('git diff-tree failed');
  rmSync(root, { recursive: true });
  await expect(findStretch(turns, undefined, dir)).rejects.toThrow('is not there any more');
});
