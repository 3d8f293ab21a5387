/** All files of a work tree as they are now, as one commit: nothing of the user's index, stash, branches, HEAD or logs is touched. */
import { randomUUID } from 'node:crypto';
import { copyFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';
import { GlassboxError } from '../event/index.js';
import type { SkippedFile } from './checkpoint.js';
import { git, gitNames, gitText, tryGit } from './git.js';
import { type Bounds, sortOut } from './sort-out.js';
import type { WorkTree } from './work-tree.js';

export interface Taken extends Looked {
  commit: string;
}

export interface Looked {
  tree: string;
  head?: string;
  skipped: SkippedFile[];
}

export const BOUNDS: Bounds = { fileBytes: 64 * 1024 * 1024, allBytes: 1024 * 1024 * 1024, files: 200_000 };

/** Git believes a file to be unchanged by its times; who wrote within this long before is read again. */
const DISTRUST_MS = 1000;
/** An index that a killed process left. */
const STALE_MS = 600_000;

/** Throws a `GlassboxError` when it cannot be done. Anybody may do it at the same time. */
export async function take(workTree: WorkTree, bounds: Bounds = BOUNDS): Promise<Taken> {
  const looked = await look(workTree, bounds);
  const call = workTree.ours();
  const commit = await gitText(['commit-tree', looked.tree, '-m', 'glassbox checkpoint'], {
    ...call,
    at: { ...call.at, ...AUTHOR },
  });
  return { commit, ...looked };
}

/** The same for who only compares: nothing that could be kept. */
export async function look(workTree: WorkTree, bounds: Bounds = BOUNDS): Promise<Looked> {
  try {
    return await lookOnce(workTree, bounds);
  } catch (error) {
    if (!(error instanceof GlassboxError && error.code === 'write-failed')) throw error;
    // A file came or went meanwhile, or the index names objects that are gone: once more, from nothing.
    await rm(path.join(workTree.side, 'index'), { force: true });
    return lookOnce(workTree, bounds);
  }
}

/** Keeps a commit from being cleaned away, under a name of ours. */
export async function anchor({ theirs }: WorkTree, ref: string, commit: string): Promise<void> {
  await git(['update-ref', ref, commit], theirs);
}

async function lookOnce(workTree: WorkTree, bounds: Bounds): Promise<Looked> {
  const { side, top, ours, theirs } = workTree;
  const kept = path.join(side, 'index');
  const index = `${kept}-${randomUUID()}`;
  const call = ours(index);
  const begunAt = Date.now();
  try {
    await copyIndex(kept, index);
    const [changed, forced, head] = await Promise.all([
      gitNames(['ls-files', '-z', '-m', '-d', '-o', '--exclude-standard'], call),
      // What the user added although it is ignored.
      workTree.kind === 'plain' ? [] : gitNames(['ls-files', '-z', '-i', '-c', '--exclude-standard'], theirs),
      tryGit(['rev-parse', '-q', '--verify', 'HEAD'], theirs),
    ]);
    const { add, remove, links, skipped } = await sortOut(top, [...changed, ...forced], bounds);
    const update = (how: readonly string[], lines: readonly string[]) =>
      lines.length > 0 && git(['update-index', '-z', ...how], { ...call, input: `${lines.join('\0')}\0` });
    await update(['--force-remove', '--stdin'], remove);
    await update(
      ['--index-info'],
      links.map(({ name, commit }) => `160000 ${commit}\t${name}`),
    );
    await update(['--add', '--remove', '--replace', '--stdin'], add);
    const tree = await gitText(['write-tree'], call);
    const trusted = new Date(begunAt - DISTRUST_MS);
    await utimes(index, trusted, trusted).catch(() => {});
    await rename(index, kept).catch(() => {});
    return { tree, skipped, ...(head.status === 0 && { head: head.stdout.toString('utf8').trim() }) };
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
    await forgetLeftIndexes(side);
  }
}

/** The same files give the same commit. */
export const AUTHOR = {
  GIT_AUTHOR_NAME: 'glassbox',
  GIT_AUTHOR_EMAIL: 'glassbox@localhost',
  GIT_AUTHOR_DATE: '@0 +0000',
  GIT_COMMITTER_NAME: 'glassbox',
  GIT_COMMITTER_EMAIL: 'glassbox@localhost',
  GIT_COMMITTER_DATE: '@0 +0000',
};

/** With its times: they say which of the files it knows are still to be trusted. */
export async function copyIndex(from: string, to: string): Promise<void> {
  const { mtime } = await stat(from).catch(() => ({ mtime: undefined }));
  if (!mtime) return;
  await copyFile(from, to);
  await utimes(to, mtime, mtime);
}

async function forgetLeftIndexes(side: string): Promise<void> {
  for (const name of await readdir(side).catch(() => [])) {
    if (!name.startsWith('index-')) continue;
    const file = path.join(side, name);
    const { mtimeMs = Date.now(), ctimeMs = Date.now() } = await stat(file).catch(() => ({}) as never);
    if (Math.max(mtimeMs, ctimeMs) < Date.now() - STALE_MS) await rm(file, { force: true });
  }
}
