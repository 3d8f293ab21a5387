/** Repositories in odd states × everything that writes: a checkpoint, a rewind and back, a work tree, one from a moment (a fork), and an attempt brought over and back. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bringOver, keepMoment, rewind, undoRewind } from '../../src/checkpoint/index.js';
import { discardWorktree, makeWorktree, releaseWorktree } from '../../src/worktree/index.js';
import { temporaryDirectory } from '../fake-agent/play.js';
import { played } from './played.js';
import { filesOf, git, makeRepository, ownOf, rebaseWithConflict, write } from './repository.js';

interface State {
  make(root: string): void;
  /** Where to work, when that is not the repository itself. */
  at?(root: string): string;
  /** Why there is no work tree. */
  withoutTree?: string;
}

const states: Record<string, State> = {
  'a rebase with a conflict under way': {
    make: rebaseWithConflict,
  },
  'a merge under way': {
    make(root) {
      git(root, 'checkout', '-q', '-b', 'side');
      write(root, { 'n.txt': 'side\n' });
      git(root, 'add', '-A');
      git(root, 'commit', '-qm', 'side');
      git(root, 'checkout', '-q', 'main');
      git(root, 'merge', '-q', '--no-commit', '--no-ff', 'side');
    },
  },
  detached: { make: (root) => void git(root, 'checkout', '-q', '--detach') },
  'a linked work tree': {
    make: (root) => void git(root, 'worktree', 'add', '-q', `${root}-linked`),
    at: (root) => `${root}-linked`,
  },
  'no commit yet': {
    make: (root) => void git(root, 'update-ref', '-d', 'HEAD'),
    withoutTree: 'no commit yet',
  },
  'a huge file': {
    make(root) {
      write(root, { film: '' });
      truncateSync(path.join(root, 'film'), 70 * 1024 * 1024);
    },
  },
  'names that are not ASCII': {
    make: (root) => write(root, { 'größe/日本 語.txt': 'j\n', 'quote".txt': 'q\n', '-n': 'n\n' }),
  },
  'line endings that git changes': {
    make(root) {
      git(root, 'config', 'core.autocrlf', 'true');
      write(root, { '.gitattributes': '*.md text eol=crlf\n', 'a.md': 'one\r\ntwo\r\n', 'mixed.txt': 'a\r\nb\n' });
      git(root, 'add', '-A');
    },
  },
  hooks: {
    make(root) {
      for (const name of ['pre-commit', 'post-checkout', 'post-commit', 'reference-transaction', 'post-index-change'])
        writeFileSync(path.join(root, '.git/hooks', name), `#!/bin/sh\ntouch "${root}/hooked"\n`, { mode: 0o755 });
    },
  },
  'a sparse checkout': {
    make(root) {
      git(root, 'sparse-checkout', 'set', 'b');
    },
  },
  'a submodule': {
    make(root) {
      git(root, 'submodule', '-q', 'add', makeRepository({ 'in.txt': 'i\n' }), 'sub');
      git(root, 'commit', '-qm', 'sub');
      write(root, { 'sub/dirty.txt': 'd\n' });
    },
  },
  'links and modes': {
    make(root) {
      symlinkSync('a.txt', path.join(root, 'link'));
      symlinkSync('../outside', path.join(root, 'out'));
      chmodSync(path.join(root, 'a.txt'), 0o755);
    },
  },
  'packed refs, tags and a stash': {
    make(root) {
      write(root, { 'a.txt': 'aside\n' });
      git(root, 'stash');
      git(root, 'tag', 'v1');
      git(root, 'pack-refs', '--all');
      git(root, 'gc', '-q');
    },
  },
};

/** Of the user's own, without what belongs to work trees that are there for a moment. */
function ownNow(root: string) {
  return Object.fromEntries(Object.entries(ownOf(root)).filter(([name]) => !/packed-refs|\/worktrees$/.test(name)));
}

/** `GLASSBOX_STATES=all` plays all of them; by default four, which the commit draws. */
const names = Object.keys(states);
const first = Number(process.env.GLASSBOX_TEST_SEED ?? 0) % names.length;
const drawn = process.env.GLASSBOX_STATES === 'all' ? names : [...names, ...names].slice(first, first + 4);

test.each(drawn)('%s', async (name) => {
  const { make, at = (root: string) => root, withoutTree } = states[name] ?? { make() {} };
  const repository = makeRepository({ 'a.txt': 'a\n', 'b/c.txt': 'c\n', '.gitignore': 'ignored\n' });
  make(repository);
  const root = at(repository);
  write(root, { 'mine.txt': 'mine\n', 'staged.txt': 's\n', ignored: 'i\n' });
  git(root, 'add', 'staged.txt');
  const [files, own] = [filesOf(root), ownNow(root)];

  // A checkpoint, an agent's turn, the way back, and back again.
  const { plan, dir, turns } = await played(root, () => {
    mkdirSync(path.join(root, 'b'), { recursive: true });
    write(root, { 'b/c.txt': 'agent\n', 'made/by.txt': 'agent\n' });
    rmSync(path.join(root, 'mine.txt'));
  });
  const worked = [filesOf(root), ownNow(root)];
  expect((await rewind(await plan(0), { session: 's', to: 'turn 0' }, {}, dir)).left).toEqual([]);
  expect([filesOf(root), ownNow(root)]).toEqual([files, own]);
  expect((await undoRewind('s', dir))?.left).toEqual([]);
  expect([filesOf(root), ownNow(root)]).toEqual(worked);
  expect(await undoRewind('s', dir)).toBeUndefined();

  const trees = temporaryDirectory();
  if (withoutTree !== undefined) {
    await expect(makeWorktree({ cwd: root }, trees)).rejects.toThrow(withoutTree);
    expect(ownNow(root)).toEqual(worked[1]);
    return;
  }
  // A work tree of its own, clean and away; and one from a moment, as a fork has it, brought over and taken back.
  const clean = await makeWorktree({ cwd: root }, trees);
  expect(await releaseWorktree(clean.record, trees)).toBe('removed');
  const { commit = '', head } = turns[0]?.before ?? {};
  const forked = await makeWorktree({ cwd: root, from: { commit, ...(head !== undefined && { head }) } }, trees);
  const { ignored: _, ...kept } = files;
  const isInside = ([file]: [string, string]) => !file.startsWith('sub/') && file !== 'film';
  expect(Object.fromEntries(Object.entries(filesOf(forked.cwd)).filter(isInside))).toEqual(
    Object.fromEntries(Object.entries(kept).filter(isInside)),
  );
  const before = await keepMoment(forked.cwd, 'refs/glassbox/odd/before', dir);
  write(forked.cwd, { 'brought.txt': 'over\n' });
  const after = await keepMoment(forked.cwd, 'refs/glassbox/odd/after', dir);
  const { plan: brought, inTheWay } = await bringOver(root, before, after, dir);
  expect(inTheWay).toEqual([]);
  await rewind(brought, { session: 'apply', to: 'what it did' }, {}, dir);
  expect(filesOf(root)).toEqual({ ...worked[0], 'brought.txt': '- over\n' });
  await undoRewind('apply', dir);
  expect(await discardWorktree(forked.record, trees)).toBe(true);
  expect([filesOf(root), ownNow(root)]).toEqual(worked);
});
