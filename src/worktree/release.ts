/** What becomes of a work tree when its run has ended, also when glassbox was killed: a clean one goes, anything else is kept. */
import { lstat, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { treeOf, tryGit } from '../checkpoint/index.js';
import { isAlive, thisProcess } from '../run/process/reaper.js';
import { forgetWorktree, readWorktrees, type WorktreeRecord, worktreeDirectory, writeWorktree } from './record.js';

export type Released = 'removed' | 'kept';

/** To be called when nothing works in it any more. Never rejects: what cannot be removed is kept. */
export async function releaseWorktree(record: WorktreeRecord, dir: string = worktreeDirectory()): Promise<Released> {
  const now = (await readWorktrees(dir).catch(() => [])).find(({ name }) => name === record.name);
  const isClean = !now?.isShared && (await isUntouched(record).catch(() => false));
  const isGone = isClean && (await remove(record));
  await writeWorktree(dir, { ...record, state: isGone ? 'removed' : 'kept' }).catch(() => {});
  return isGone ? 'removed' : 'kept';
}

export interface Reaped {
  record: WorktreeRecord;
  became: Released;
}

/** What killed glassboxes left: one that was never whole or was to go goes, one that was used is released. */
export async function releaseLeftWorktrees(dir: string = worktreeDirectory()): Promise<Reaped[]> {
  const reaped: Reaped[] = [];
  for (const record of await readWorktrees(dir).catch(() => [])) {
    const { state } = record;
    if (state === 'kept' || state === 'removed' || (await isAlive(record.owner))) continue;
    if (state === 'used') reaped.push({ record, became: await releaseWorktree(record, dir) });
    else if (await remove(record, state === 'removing')) {
      await forgetWorktree(dir, record.name);
      reaped.push({ record, became: 'removed' });
    }
  }
  return reaped;
}

/** Takes one away with all that is in it, as a person wants it. */
export async function discardWorktree(record: WorktreeRecord, dir: string = worktreeDirectory()): Promise<boolean> {
  // Folder and branch go one after the other: one that is cut off between them is finished by the next start.
  await writeWorktree(dir, { ...record, state: 'removing', owner: await thisProcess() });
  const isGone = await remove(record, true);
  if (isGone) await forgetWorktree(dir, record.name);
  return isGone;
}

/** No file differs from what it began with, and no commit was made. What git ignores does not count. */
export async function isUntouched({ path: folder, base, tree }: WorktreeRecord): Promise<boolean> {
  if (!(await lstat(folder).catch(() => undefined))) return true;
  const head = await tryGit(['rev-parse', 'HEAD'], { cwd: folder });
  return head.stdout.toString('utf8').trim() === base && (await treeOf(folder)) === tree;
}

/** A git that a killed glassbox started may still be at it. */
const PATIENCE_MS = 3000;

/** True when neither the folder nor the branch is there any more. A branch with commits of its own stays, unless it is wanted. */
async function remove({ project, path: folder, branch, base }: WorktreeRecord, withCommits = false): Promise<boolean> {
  const call = { cwd: project };
  await waitForGit(project, folder);
  const removed = await tryGit(['worktree', 'remove', '--force', '--force', folder], call).catch(() => undefined);
  if (removed?.status !== 0) {
    // Half made, so that git does not know it as one.
    await rm(folder, { recursive: true, force: true });
    const entry = await entryOf(project, folder);
    if (entry !== undefined) await rm(entry, { recursive: true, force: true });
  }
  const tip = await tryGit(['rev-parse', '-q', '--verify', `refs/heads/${branch}`], call).catch(() => undefined);
  if (tip?.status !== 0) return tip !== undefined;
  if (!withCommits && tip.stdout.toString('utf8').trim() !== base) return false;
  return (await tryGit(['branch', '-q', '-D', branch], call)).status === 0;
}

async function waitForGit(project: string, folder: string): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += 100) {
    const entry = await entryOf(project, folder);
    const lock = entry && (await stat(path.join(entry, 'locked')).catch(() => undefined));
    if (!lock || Date.now() - lock.mtimeMs > PATIENCE_MS) return;
    await sleep(100);
  }
}

/** Where the repository keeps what it knows of a work tree. */
async function entryOf(project: string, folder: string): Promise<string | undefined> {
  const { status, stdout } = await tryGit(['rev-parse', '--path-format=absolute', '--git-common-dir'], {
    cwd: project,
  });
  if (status !== 0) return undefined;
  const all = path.join(stdout.toString('utf8').trim(), 'worktrees');
  for (const name of await readdir(all).catch(() => [])) {
    const gitdir = await readFile(path.join(all, name, 'gitdir'), 'utf8').catch(() => '');
    if (path.dirname(gitdir.trim()) === folder) return path.join(all, name);
  }
  return undefined;
}
