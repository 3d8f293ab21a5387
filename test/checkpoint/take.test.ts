/** A checkpoint holds every file as it is, byte for byte, and leaves everything of the user's as it was: with real git, in odd states. */
import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchor, take } from '../../src/checkpoint/take.js';
import { findWorkTree } from '../../src/checkpoint/work-tree.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { filesIn, filesOf, git, makeRepository, ownOf, rebaseWithConflict, write } from './repository.js';

async function taken(root: string, dir = temporaryDirectory(), bounds?: Parameters<typeof take>[1]) {
  const workTree = await findWorkTree(root, dir);
  const { commit, skipped } = await take(workTree, bounds);
  await anchor(workTree, 'refs/glassbox/test/0', commit);
  return { workTree, commit, skipped };
}

/** What each state is made of; then all files but the ignored ones must be in the commit. */
const states: Record<string, (root: string) => void> = {
  clean: () => {},
  'dirty, staged, staged and dirty, untracked, deleted, renamed': (root) => {
    write(root, { 'a.txt': 'changed\n', 'staged.txt': 's\n', 'new/dir/u.txt': 'u\n' });
    git(root, 'add', 'staged.txt');
    write(root, { 'staged.txt': 'and dirty\n' });
    rmSync(path.join(root, 'b/c.txt'));
    git(root, 'mv', 'd.txt', 'renamed.txt');
  },
  'modes and links': (root) => {
    chmodSync(path.join(root, 'a.txt'), 0o755);
    symlinkSync('a.txt', path.join(root, 'link'));
    symlinkSync('nowhere/at/all', path.join(root, 'broken'));
    symlinkSync('b', path.join(root, 'folder-link'));
  },
  'a file where a folder was, and the other way round': (root) => {
    rmSync(path.join(root, 'b'), { recursive: true });
    write(root, { b: 'now a file\n' });
    rmSync(path.join(root, 'd.txt'));
    write(root, { 'd.txt/inside': 'now a folder\n' });
  },
  'a link to where the folder went': (root) => {
    renameSync(path.join(root, 'b'), path.join(root, 'moved'));
    symlinkSync('moved', path.join(root, 'b'));
  },
  'names that are not ASCII, or look like something else': (root) =>
    write(root, {
      'größe.txt': 'g',
      '日本/語.txt': 'j',
      ' blank ': 'b',
      'quote".txt': 'q',
      '-n': 'n',
      ':(glob)*': 's',
      'tab\t.txt': 't',
    }),
  'line endings and filters that would change files': (root) => {
    git(root, 'config', 'core.autocrlf', 'true');
    git(root, 'config', 'filter.upper.clean', 'tr a-z A-Z');
    git(root, 'config', 'filter.upper.required', 'true');
    write(root, {
      '.gitattributes': '*.txt text eol=crlf\n*.up filter=upper\n*.id ident\n',
      'mixed.txt': 'a\r\nb\nc\r',
      'x.up': 'lower',
      'y.id': '$Id$ $Id: foo $',
    });
    git(root, 'add', '-A');
    write(root, { 'crlf.txt': 'one\r\ntwo\r\n', 'utf16.txt': Buffer.from('ÿþa\0b\0', 'latin1') });
  },
  'a rebase with a conflict under way': (root) => {
    rebaseWithConflict(root);
    write(root, { 'untracked.txt': 'u' });
  },
  'detached, with a stash': (root) => {
    write(root, { 'a.txt': 'stashed\n' });
    git(root, 'stash');
    git(root, 'checkout', '-q', '--detach');
    write(root, { 'a.txt': 'detached\n' });
  },
  'hooks and helpers that would do something': (root) => {
    for (const name of [
      'pre-commit',
      'post-commit',
      'reference-transaction',
      'post-index-change',
      'fsmonitor-watchman',
    ]) {
      writeFileSync(path.join(root, '.git/hooks', name), `#!/bin/sh\ntouch "${root}/hooked"\n`, { mode: 0o755 });
    }
    git(root, 'config', 'core.fsmonitor', path.join(root, '.git/hooks/fsmonitor-watchman'));
    git(root, 'config', 'commit.gpgSign', 'true');
    git(root, 'config', 'core.logAllRefUpdates', 'always');
    rmSync(path.join(root, 'hooked'), { force: true });
    write(root, { 'a.txt': 'x\n' });
  },
  sparse: (root) => {
    git(root, 'sparse-checkout', 'set', 'b');
    write(root, { 'b/new.txt': 'n\n' });
  },
};

describe('a checkpoint of a repository', () => {
  test.each(Object.keys(states))('%s', async (state) => {
    const root = makeRepository({
      'a.txt': 'a\n',
      'b/c.txt': 'c\n',
      'd.txt': 'd\n',
      '.gitignore': 'ignored\nbuild/\n',
    });
    states[state]?.(root);
    write(root, { ignored: 'i', 'build/out': 'o' });
    const own = ownOf(root);
    const { commit } = await taken(root);
    const { ignored: _, 'build/out': __, ...wanted } = filesOf(root);
    expect(filesIn(root, commit)).toEqual(wanted);
    expect(ownOf(root)).toEqual(own);
  });

  test('holds what the user added although it is ignored', async () => {
    const root = makeRepository({ '.gitignore': '*.log\n', 'a.txt': '' });
    write(root, { 'kept.log': '1', 'other.log': '2' });
    git(root, 'add', '-f', 'kept.log');
    expect(Object.keys(filesIn(root, (await taken(root)).commit))).toEqual(['.gitignore', 'a.txt', 'kept.log']);
  });

  test('leaves out what the user ignores elsewhere', async () => {
    const root = makeRepository();
    write(root, { '.git/info/exclude': 'secret\n', secret: 's', other: 'o' });
    writeFileSync(path.join(root, '.git/mine'), 'own\n');
    git(root, 'config', 'core.excludesFile', path.join(root, '.git/mine'));
    write(root, { own: 'o' });
    expect(Object.keys(filesIn(root, (await taken(root)).commit))).toEqual(['a.txt', 'other']);
  });

  test('without a commit, in a folder below, in a work tree of its own, with SHA-256', async () => {
    const empty = temporaryDirectory();
    git(empty, 'init', '-q');
    write(empty, { 'x/y.txt': 'y' });
    const own = ownOf(empty);
    expect(filesIn(empty, (await taken(path.join(empty, 'x'))).commit)).toEqual({ 'x/y.txt': '- y' });
    expect(ownOf(empty)).toEqual(own);

    const root = makeRepository();
    const linked = path.join(temporaryDirectory(), 'linked');
    git(root, 'worktree', 'add', '-q', linked);
    write(linked, { 'a.txt': 'linked\n' });
    const before = ownOf(linked);
    expect(filesIn(root, (await taken(linked)).commit)).toEqual({ 'a.txt': '- linked\n' });
    expect(ownOf(linked)).toEqual(before);

    const other = temporaryDirectory();
    git(other, 'init', '-q', '--object-format=sha256');
    write(other, { f: '1', g: '2' });
    const dir = temporaryDirectory();
    await taken(other, dir);
    rmSync(path.join(other, 'g'));
    expect(filesIn(other, (await taken(other, dir)).commit)).toEqual({ f: '- 1' });
  });

  test('notes the commit of a repository inside, and says where there is none', async () => {
    const root = makeRepository();
    const inner = makeRepository({ 'in.txt': 'i' });
    git(root, 'submodule', '-q', 'add', inner, 'sub');
    git(root, 'commit', '-qm', 'sub');
    write(root, { 'sub/dirty.txt': 'd' });
    mkdirSync(path.join(root, 'begun'));
    git(path.join(root, 'begun'), 'init', '-q');
    write(root, { 'begun/file': 'f' });
    const own = ownOf(root);
    const { commit, skipped } = await taken(root);
    const head = git(path.join(root, 'sub'), 'rev-parse', 'HEAD').trim();
    expect(filesIn(root, commit)).toMatchObject({ sub: `repository ${head}`, 'a.txt': '- a\n' });
    expect(skipped).toEqual([{ path: 'begun', why: 'repository' }]);
    expect(ownOf(root)).toEqual(own);
  });

  test('says what is too large for it, also when it was small before', async () => {
    const root = makeRepository();
    const dir = temporaryDirectory();
    const bounds = { fileBytes: 100, allBytes: 1000, files: 10 };
    write(root, { grows: 'small' });
    expect((await taken(root, dir, bounds)).skipped).toEqual([]);
    write(root, { grows: 'x'.repeat(101) });
    const { commit, skipped } = await taken(root, dir, bounds);
    expect(skipped).toEqual([{ path: 'grows', why: 'too-large' }]);
    expect(Object.keys(filesIn(root, commit))).toEqual(['a.txt']);
    write(root, Object.fromEntries([...Array(12).keys()].map((name) => [`many/${name}`, 'm'])));
    await expect(taken(root, dir, bounds)).rejects.toThrow(/13 files changed, 10 are kept/);
    await expect(taken(root, dir, { ...bounds, files: 99, allBytes: 5 })).rejects.toThrow(
      /changed, so much is not kept/,
    );
  });

  test('sees a change of the same size in the same moment', async () => {
    const root = makeRepository({ f: 'aaaa' });
    const dir = temporaryDirectory();
    await taken(root, dir);
    for (const content of ['bbbb', 'cccc', 'dddd']) {
      const at = new Date();
      write(root, { f: content });
      utimesSync(path.join(root, 'f'), at, at);
      expect(filesIn(root, (await taken(root, dir)).commit)).toEqual({ f: `- ${content}` });
    }
  });

  test('goes on when its objects were cleaned away, or a killed one left its lock', async () => {
    const root = makeRepository();
    const dir = temporaryDirectory();
    write(root, { 'u.txt': 'untracked' });
    const { workTree } = await taken(root, dir);
    git(root, 'update-ref', '-d', 'refs/glassbox/test/0');
    git(root, 'gc', '-q', '--prune=now');
    writeFileSync(path.join(workTree.side, 'index.lock'), '');
    write(root, { 'v.txt': 'v' });
    expect(Object.keys(filesIn(root, (await taken(root, dir)).commit))).toEqual(['a.txt', 'u.txt', 'v.txt']);
    expect(readdirSync(workTree.side).filter((name) => name.startsWith('index-'))).toEqual([]);
  });
});

describe('a checkpoint of a folder without git', () => {
  test('is kept in our own data, and nothing is put into the folder', async () => {
    const root = temporaryDirectory();
    write(root, { 'a.txt': 'a\r\n', 'node_modules/x/index.js': '', '.gitignore': 'out\n', out: 'o' });
    const before = readdirSync(root);
    const { workTree, commit } = await taken(root);
    expect(workTree.kind).toBe('plain');
    expect(filesIn(workTree.side, commit)).toEqual({ '.gitignore': '- out\n', 'a.txt': '- a\r\n' });
    expect(readdirSync(root)).toEqual(before);
  });

  test('also where a repository around it ignores it', async () => {
    const outer = makeRepository({ '.gitignore': 'scratch\n' });
    const root = path.join(outer, 'scratch');
    write(root, { f: 'f' });
    const { workTree, commit } = await taken(root);
    expect(workTree.kind).toBe('plain');
    expect(filesIn(workTree.side, commit)).toEqual({ f: '- f' });
  });

  test('is not made of a whole home or disk', async () => {
    const dir = temporaryDirectory();
    await expect(findWorkTree('/', dir)).rejects.toThrow(/whole home or disk/);
    await expect(findWorkTree(path.join(dir, 'gone'), dir)).rejects.toThrow(/is not there any more/);
  });
});

test('variables of git in the environment lead nowhere', async () => {
  const [root, other] = [makeRepository(), makeRepository({ other: 'o' })];
  const set = {
    GIT_DIR: path.join(other, '.git'),
    GIT_INDEX_FILE: path.join(other, '.git/index'),
    GIT_WORK_TREE: other,
  };
  Object.assign(process.env, set);
  try {
    const own = ownOf(other);
    expect(filesIn(root, (await taken(root)).commit)).toEqual({ 'a.txt': '- a\n' });
    expect(ownOf(other)).toEqual(own);
  } finally {
    for (const name of Object.keys(set)) delete process.env[name];
  }
});
