/** A work tree and a branch of its own for a run, from what is checked out, or from a checkpoint. */
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { cp, lstat, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { gitText, putFiles, treeOf, tryGit } from '../checkpoint/index.js';
import { GlassboxError } from '../event/index.js';
import { isAlive, thisProcess } from '../run/process/reaper.js';
import { readWorktrees, type WorktreeRecord, worktreeDirectory, writeWorktree } from './record.js';
import { discardWorktree } from './release.js';

export interface WorktreeWish {
  /** Somewhere in the user's repository. */
  cwd: string;
  /** Files and folders, from the top of the repository, that are copied into it though git ignores them. */
  copy?: readonly string[] | undefined;
  /** All files as this commit of a checkpoint has them, and the commit that was checked out then. */
  from?: { commit: string; head?: string } | undefined;
}

export interface MadeWorktree {
  record: WorktreeRecord;
  /** Where the agent is to work: the folder that stands for `cwd`. */
  cwd: string;
  /** What was to be copied and is not there. */
  missing: string[];
}

/** Throws a `GlassboxError` that says why none can be made. */
export async function makeWorktree(
  { cwd, copy = [], from }: WorktreeWish,
  dir: string = worktreeDirectory(),
): Promise<MadeWorktree> {
  const real = await realpath(cwd);
  const { project, base } = await projectOf(cwd, from?.head);
  const name = newName();
  const record: WorktreeRecord = {
    name,
    project,
    path: path.join(dir, `${path.basename(project).replace(/[^\w.-]/g, '-')}-${name}`),
    branch: `glassbox/${name}`,
    base,
    state: 'making',
    owner: await thisProcess(),
  };
  try {
    await setUp(record, dir);
    const missing = await copyInto(record, copy);
    if (from) await putFiles(record.path, from.commit);
    const used: WorktreeRecord = { ...record, state: 'used', tree: await treeOf(record.path) };
    await writeWorktree(dir, used);
    return { record: used, cwd: path.join(record.path, path.relative(project, real)), missing };
  } catch (error) {
    await discardWorktree(record, dir);
    throw error;
  }
}

/** The repository of a folder, and the commit from which its work trees begin. Throws a `GlassboxError` where there can be none. */
export async function projectOf(cwd: string, head = 'HEAD'): Promise<{ project: string; base: string }> {
  const top = await tryGit(['rev-parse', '--show-toplevel'], { cwd: await realpath(cwd) });
  if (top.status !== 0)
    throw new GlassboxError(
      'invalid-request',
      `${cwd} is in no git repository, so it has no work trees. git init and a commit make it one.`,
    );
  const project = top.stdout.toString('utf8').replace(/\n$/, '');
  const commit = await tryGit(['rev-parse', '-q', '--verify', `${head}^{commit}`], { cwd: project });
  if (commit.status === 0) return { project, base: commit.stdout.toString('utf8').trim() };
  throw new GlassboxError(
    'invalid-request',
    `The repository ${project} has no commit yet, from which a work tree could begin. git commit makes one.`,
  );
}

/**
 * For a run that goes on in a folder of one that glassbox made: undefined when it is none, or when another run has it, which then leaves it
 * there. What was removed because nothing was in it is made again under the same name, because agents know their conversations by the folder.
 */
export async function reuseWorktree(
  cwd: string,
  dir: string = worktreeDirectory(),
): Promise<WorktreeRecord | undefined> {
  const record = (await readWorktrees(dir)).find(
    ({ path: folder }) => cwd === folder || cwd.startsWith(folder + path.sep),
  );
  if (!record || record.state === 'making' || record.state === 'removing') return undefined;
  if (record.state === 'removed') return remakeWorktree(record, dir);
  if (record.state === 'used' && (await isAlive(record.owner))) {
    await writeWorktree(dir, { ...record, isShared: true });
    return undefined;
  }
  const { isShared: _, ...alone } = record;
  const used: WorktreeRecord = { ...alone, state: 'used', owner: await thisProcess() };
  await writeWorktree(dir, used);
  return used;
}

/** Makes one again that was removed because nothing was in it: its session goes on where it was. */
async function remakeWorktree(record: WorktreeRecord, dir: string = worktreeDirectory()): Promise<WorktreeRecord> {
  const again: WorktreeRecord = { ...record, state: 'making', owner: await thisProcess() };
  await setUp(again, dir);
  const used: WorktreeRecord = { ...again, state: 'used', tree: await treeOf(record.path) };
  await writeWorktree(dir, used);
  return used;
}

async function setUp(record: WorktreeRecord, dir: string): Promise<void> {
  await writeWorktree(dir, record);
  await gitText(['worktree', 'add', '-q', '-b', record.branch, record.path, record.base], { cwd: record.project });
}

/** What is tracked is there already, and what leads out of the project is not ours to copy. */
async function copyInto({ project, path: to }: WorktreeRecord, names: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const name of names) {
    const source = path.resolve(project, name);
    if (source !== project && !source.startsWith(project + path.sep))
      throw new GlassboxError('invalid-request', `worktree.copy names ${name}, which is not in the project.`);
    if (!(await lstat(source).catch(() => undefined))) missing.push(name);
    else {
      const target = path.join(to, path.relative(project, source));
      await mkdir(path.dirname(target), { recursive: true });
      await cp(source, target, {
        recursive: true,
        force: false,
        verbatimSymlinks: true,
        mode: constants.COPYFILE_FICLONE,
      });
    }
  }
  return missing;
}

/** Short, without vowels, so that it is no word. */
function newName(): string {
  const letters = '23456789bcdfghjkmnpqrstvwxz';
  return [...randomBytes(6)].map((byte) => letters[byte % letters.length]).join('');
}
