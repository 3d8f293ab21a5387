/** Where agents may work: in the server's projects, and in the work trees that glassbox made of them. */
import path from 'node:path';
import type { WorktreeInfo } from '../client/index.js';
import { GlassboxError } from '../event/index.js';
import { isInside, realPath } from '../run/approval/real-path.js';
import {
  makeWorktree,
  readWorktrees,
  reuseWorktree,
  type WorktreeRecord,
  worktreeDirectory,
} from '../worktree/index.js';

/** Inside one of the projects, where links really lead. */
function allowedDirectory(cwd: string | undefined, projects: readonly string[]): string {
  const wanted = path.resolve(cwd ?? projects[0] ?? '.');
  if (!isAllowed(wanted, projects)) {
    throw new GlassboxError(
      'forbidden',
      'Nothing may be started or changed in this directory. Allow it with --project.',
    );
  }
  return wanted;
}

/** The same, or in a work tree of one of them: its session goes on there. */
export async function directoryFor(cwd: string | undefined, projects: readonly string[]): Promise<string> {
  if (cwd !== undefined) {
    const wanted = path.resolve(cwd);
    const made = (await readWorktrees(worktreeDirectory()).catch(() => [])).find(({ path: folder }) =>
      isInside(realPath(wanted), [realPath(folder)]),
    );
    if (made && isAllowed(made.project, projects)) return wanted;
  }
  return allowedDirectory(cwd, projects);
}

export async function knownWorktrees(): Promise<WorktreeInfo[]> {
  const records = await readWorktrees(worktreeDirectory()).catch(() => []);
  return records.map(({ name, path: folder, project }) => ({ name, path: folder, project }));
}

export interface Place {
  cwd: string;
  /** To be released when the run has ended. */
  worktree?: WorktreeRecord | undefined;
}

/** `copy`: a new work tree of the folder, with these copied into it. Without it the folder, and if it is a work tree, that one. */
export async function placeOf(folder: string, copy?: readonly string[]): Promise<Place> {
  if (!copy) return { cwd: folder, worktree: await reuseWorktree(folder) };
  const { record, cwd } = await makeWorktree({ cwd: folder, copy });
  return { cwd, worktree: record };
}

function isAllowed(wanted: string, projects: readonly string[]): boolean {
  const allowed = projects.map((project) => realPath(path.resolve(project)));
  return isInside(realPath(wanted), allowed);
}
