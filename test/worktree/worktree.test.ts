/** Work trees of runs: made whole or not at all, clean ones removed, others kept, whoever was killed meanwhile. Real git, real processes. */
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { take } from '../../src/checkpoint/take.js';
import { findWorkTree } from '../../src/checkpoint/work-tree.js';
import {
  discardWorktree,
  makeWorktree,
  readWorktrees,
  releaseWorktree,
  reuseWorktree,
} from '../../src/worktree/index.js';
import { filesOf, git, makeRepository, ownOf, write } from '../checkpoint/repository.js';
import { environment } from '../cli/fake-run.js';
import { glassbox, start } from '../cli/glassbox.js';
import { init, result } from '../fake-agent/lines.js';
import { FAKE_AGENT, temporaryDirectory } from '../fake-agent/play.js';

/** What a repository knows of work trees and branches, and what is locked in it. */
function traces(root: string) {
  const locks = (dir: string): string[] =>
    readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? locks(path.join(dir, entry.name))
        : /(\.lock|^locked)$/.test(entry.name)
          ? [entry.name]
          : [],
    );
  return {
    worktrees:
      git(root, 'worktree', 'list', '--porcelain')
        .split('\n')
        .filter((line) => line.startsWith('worktree ')).length - 1,
    entries: existsSync(path.join(root, '.git/worktrees')) ? readdirSync(path.join(root, '.git/worktrees')) : [],
    branches: git(root, 'branch', '--list', 'glassbox/*').trim(),
    locks: locks(path.join(root, '.git')),
  };
}
const NOTHING = { worktrees: 0, entries: [], branches: '', locks: [] };

test('one is made for the folder that is meant, with what is to be copied, and nothing of the user changes', async () => {
  const root = makeRepository({ 'app/a.txt': 'a\n', '.gitignore': '.env\ncache/\n' });
  write(root, { '.env': 'KEY=1\n', 'cache/x/y': 'c', 'app/a.txt': 'dirty\n' });
  writeFileSync(path.join(root, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch "${root}/hooked"\n`, { mode: 0o755 });
  const own = ownOf(root);
  const dir = temporaryDirectory();
  const { record, cwd, missing } = await makeWorktree(
    { cwd: path.join(root, 'app'), copy: ['.env', 'cache', 'none'] },
    dir,
  );
  expect(missing).toEqual(['none']);
  expect(cwd).toBe(path.join(record.path, 'app'));
  expect(filesOf(record.path)).toEqual({
    '.env': '- KEY=1\n',
    '.gitignore': '- .env\ncache/\n',
    'app/a.txt': '- a\n',
    'cache/x/y': '- c',
  });
  expect(git(record.path, 'branch', '--show-current').trim()).toBe(record.branch);
  expect(await releaseWorktree(record, dir)).toBe('removed');
  expect(traces(root)).toEqual(NOTHING);
  // Git writes the head of an empty list when a branch goes.
  const { [`${root}/.git/packed-refs`]: _, ...now } = ownOf(root);
  expect(now).toEqual(own);
  await expect(makeWorktree({ cwd: root, copy: ['../elsewhere'] }, dir)).rejects.toThrow('not in the project');
  expect(traces(root)).toEqual(NOTHING);
  await expect(makeWorktree({ cwd: temporaryDirectory() }, dir)).rejects.toThrow('in no git repository');
});

test('from a checkpoint it has the files of that moment, and is clean when they stayed so', async () => {
  const root = makeRepository({ f: '1', gone: 'g' });
  write(root, { f: 'then', made: 'm' });
  const { commit, head = '' } = await take(await findWorkTree(root, temporaryDirectory()));
  write(root, { f: 'now' });
  git(root, 'commit', '-qam', 'later');
  const dir = temporaryDirectory();
  const { record } = await makeWorktree({ cwd: root, from: { commit, head } }, dir);
  expect(filesOf(record.path)).toEqual({ f: '- then', gone: '- g', made: '- m' });
  expect(record.base).toBe(head);
  expect(await releaseWorktree(record, dir)).toBe('removed');
  expect(traces(root)).toEqual(NOTHING);
});

const changes: Record<string, (folder: string) => void> = {
  'a file that changed': (folder) => write(folder, { 'a.txt': 'changed' }),
  'a new file': (folder) => write(folder, { 'b/new.txt': 'n' }),
  'a file too large to be kept elsewhere': (folder) => {
    write(folder, { film: '' });
    truncateSync(path.join(folder, 'film'), 65 * 1024 * 1024);
  },
  'a repository without a commit in it': (folder) => git(folder, 'init', '-q', 'inner'),
  'a commit': (folder) => git(folder, 'commit', '-q', '--allow-empty', '-m', 'work'),
};

test.each(Object.keys(changes))('%s keeps it, until somebody discards it', async (change) => {
  const root = makeRepository();
  const dir = temporaryDirectory();
  const { record } = await makeWorktree({ cwd: root }, dir);
  changes[change]?.(record.path);
  expect(await releaseWorktree(record, dir)).toBe('kept');
  expect(traces(root)).toMatchObject({ worktrees: 1, branches: expect.stringContaining(record.branch) });
  expect(await reuseWorktree(path.join(record.path, 'below'), dir)).toMatchObject({ name: record.name, state: 'used' });
  expect(await discardWorktree(record, dir)).toBe(true);
  expect(traces(root)).toEqual(NOTHING);
  expect(await readWorktrees(dir)).toEqual([]);
});

test('one that a second run came into is not taken away by the first', async () => {
  const root = makeRepository();
  const dir = temporaryDirectory();
  const { record } = await makeWorktree({ cwd: root }, dir);
  expect(await reuseWorktree(record.path, dir)).toBeUndefined();
  expect(await releaseWorktree(record, dir)).toBe('kept');
  expect(existsSync(record.path)).toBe(true);
  const again = await reuseWorktree(record.path, dir);
  expect(again && (await releaseWorktree(again, dir))).toBe('removed');
  expect(traces(root)).toEqual(NOTHING);
});

test('one that was removed is made again for a session that goes on', async () => {
  const root = makeRepository();
  const dir = temporaryDirectory();
  const { record } = await makeWorktree({ cwd: root }, dir);
  write(record.path, { '.git-ignored-by-nobody': '' });
  const { record: clean } = await makeWorktree({ cwd: root }, dir);
  await releaseWorktree(clean, dir);
  expect(existsSync(clean.path)).toBe(false);
  const again = await reuseWorktree(clean.path, dir);
  expect(again).toMatchObject({ path: clean.path, branch: clean.branch, state: 'used' });
  expect(filesOf(clean.path)).toEqual({ 'a.txt': '- a\n' });
  expect(await reuseWorktree(root, dir)).toBeUndefined();
});

test('glassbox run --worktree: works there, tells where its work is, and resumes there', async () => {
  const root = makeRepository({
    'a.txt': 'a\n',
    '.gitignore': '.env\n',
    'glassbox.json': '{"worktree":{"copy":[".env"]}}',
  });
  write(root, { '.env': 'KEY' });
  const told = path.join(temporaryDirectory(), 'told');
  const env = environment([init(), { tell: told }, { files: { 'a.txt': 'done\n' } }, result('ok')]);
  const flags = ['--program', FAKE_AGENT, '--cwd', root, '--permission', 'deny'];
  const { stderr, status } = await glassbox(['run', 'claude', 'x', '--worktree', ...flags], '', env);
  expect(status).toBe(0);
  const [, folder = '', name = ''] = /what was done is in (\S+), on the branch glassbox\/(\w+)\./.exec(stderr) ?? [];
  expect(JSON.parse(readFileSync(told, 'utf8')).cwd).toBe(folder);
  expect(filesOf(folder)).toMatchObject({ 'a.txt': '- done\n', '.env': '- KEY' });
  expect(filesOf(root)).toMatchObject({ 'a.txt': '- a\n' });
  const list = await glassbox(['worktrees'], '', env);
  expect(list.stdout).toMatch(new RegExp(`^${name} +changed `, 'm'));
  // Nothing was committed there: a merge would take nothing over.
  expect(stderr).toContain(`glassbox apply ${name} brings it into your files`);
  const [session = ''] = /"id":"\w+"/.exec((await glassbox(['sessions', '--json'], '', env)).stdout) ?? [];
  for (const [words, mine] of [
    [[name], 'done'],
    [[name, '--undo'], 'a'],
    [[session.slice(6, -1)], 'done'],
    [[name, '--undo'], 'a'],
  ] as const) {
    expect(await glassbox(['apply', ...words, '--yes'], '', env)).toMatchObject({ status: 0 });
    expect(filesOf(root)).toMatchObject({ 'a.txt': `- ${mine}\n` });
    const why = await glassbox(['why', `${path.join(root, 'a.txt')}:1`], '', env);
    expect(why.stdout).toContain(`glassbox apply, what ${name} did${words.length > 1 ? ', taken out again' : ''}\n`);
  }
  write(root, { 'a.txt': 'mine\n' });
  const inTheWay = await glassbox(['apply', name, '--yes'], '', env);
  expect([inTheWay.status, filesOf(root)['a.txt']]).toEqual([3, '- mine\n']);
  write(root, { 'a.txt': 'a\n' });
  expect(await glassbox(['worktrees', name, '--remove', '--yes'], '', env)).toMatchObject({ status: 0 });
  expect(traces(root)).toEqual(NOTHING);
  const clean = environment([init(), { tell: told }, result('ok')]);
  expect((await glassbox(['run', 'claude', 'x', '--worktree', ...flags], '', clean)).stderr).toContain(
    'which was removed',
  );
  const resumed = await glassbox(
    ['resume', 'latest', 'more', '--program', FAKE_AGENT, '--permission', 'deny'],
    '',
    clean,
  );
  expect(resumed.stderr).toContain('which was removed');
  expect(resumed.status).toBe(0);
  expect(traces(root)).toEqual(NOTHING);
  expect(await glassbox(['run', 'claude', 'x', '--at', 'k@1', ...flags], '', clean)).toMatchObject({ status: 2 });
});

test('killed at any moment, nothing is left after the next start but what somebody made', async () => {
  const root = makeRepository(Object.fromEntries([...Array(200).keys()].map((n) => [`f${n}`, 'x'])));
  const began = path.join(temporaryDirectory(), 'began');
  const env = environment([init(), { touch: began }, { hang: true }]);
  const dir = path.join(env.GLASSBOX_STATE_DIR ?? '', 'worktrees');
  mkdirSync(dir, { recursive: true });
  const moments: (() => boolean)[] = [
    () => readdirSync(dir).some((name) => name.endsWith('.json')),
    () => readdirSync(dir).some((name) => !/json/.test(name) && existsSync(path.join(dir, name, 'f100'))),
    () => existsSync(began),
  ];
  for (const isNow of moments) {
    const { child, ended } = start(['run', 'claude', 'x', '--worktree', '--program', FAKE_AGENT, '--cwd', root], env);
    while (!isNow() && child.exitCode === null) await new Promise(setImmediate);
    child.kill('SIGKILL');
    await ended;
    await glassbox(['ps'], '', env);
    expect(traces(root)).toEqual(NOTHING);
    expect(readdirSync(dir).filter((name) => !name.endsWith('.json'))).toEqual([]);
  }
});
