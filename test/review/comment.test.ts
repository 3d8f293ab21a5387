/** Comments are kept for this user alone, without secrets, and know whether their lines changed. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findWorkTree, take } from '../../src/checkpoint/index.js';
import { commentStates, forgetComments, readComments, removeComment, writeComment } from '../../src/review/index.js';
import { makeRepository, write } from '../checkpoint/repository.js';
import { temporaryDirectory } from '../fake-agent/play.js';

const comment = {
  path: 'a',
  side: 'new',
  start: 1,
  end: 2,
  quote: ['+x'],
  runId: 'r',
  turn: 1,
  commit: 'c',
  text: 'Why?',
  at: 1,
} as const;

test('written, changed, removed and forgotten with its session; a damaged file hides no other', async () => {
  const dir = temporaryDirectory();
  const key = `sk-ant-${'api03'}-${'a1B2'.repeat(24)}`;
  const first = await writeComment({ ...comment, text: `key ${key}`, quote: [`+${key}`] }, dir);
  const second = await writeComment({ ...comment, at: 2, runId: '../odd' }, dir);
  const runs = [{ runId: 'r' }, { runId: '../odd' }];
  expect(await readComments(runs, dir)).toEqual([first, second]);
  await writeComment({ ...second, sentAt: 9 }, dir);
  expect((await readComments(runs, dir))[1]).toMatchObject({ sentAt: 9 });
  const files = readdirSync(dir).flatMap((folder) =>
    readdirSync(path.join(dir, folder)).map((name) => path.join(dir, folder, name)),
  );
  expect(files).toHaveLength(2);
  for (const file of files) {
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(readFileSync(file, 'utf8')).not.toContain(key);
  }
  writeFileSync(path.join(path.dirname(files[0] ?? ''), 'broken.json'), '{"id":1}');
  expect(await readComments(runs, dir)).toHaveLength(2);
  await removeComment(first, dir);
  expect(await readComments(runs, dir)).toHaveLength(1);
  await forgetComments([{ id: 's', runs }], dir);
  expect(await readComments(runs, dir)).toEqual([]);
});

test('each says whether its lines changed since', async () => {
  const root = makeRepository({ a: 'one\ntwo\nthree\n', gone: 'x\n' });
  const workTree = await findWorkTree(root, temporaryDirectory());
  const { commit } = await take(workTree);
  const own = (id: string, more: Partial<typeof comment> | object) => ({ ...comment, commit, id, ...more });
  const comments = [
    own('first', { start: 1, end: 1 }),
    own('second', { start: 2, end: 2 }),
    own('both', { start: 1, end: 2 }),
    own('file', { path: 'gone', end: 1 }),
    own('removed', { side: 'old', start: 2, end: 2 }),
    own('removed and back', { side: 'old', start: 3, end: 3 }),
    own('nowhere', { commit: '0'.repeat(40) }),
  ];
  write(root, { a: 'new\none\n2\nthree\n' });
  rmSync(path.join(root, 'gone'));
  expect(Object.fromEntries(await commentStates(workTree, comments))).toEqual({
    first: 'unchanged',
    second: 'gone',
    both: 'changed',
    file: 'gone',
    removed: 'unchanged',
    'removed and back': 'changed',
    nowhere: 'unknown',
  });
});
