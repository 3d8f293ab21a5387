/** Where a folder belongs: a work tree that glassbox made stands for the project that it was made from. Pure. */
import type { WorktreeInfo } from '../../../client/index.js';
import { projectName } from '../text/format.js';

export interface Origin {
  /** In the project itself. */
  folder: string;
  /** By its name; absent where the folder is in none. */
  worktree?: string;
}

export function originOf(cwd: string | undefined, worktrees: readonly WorktreeInfo[]): Origin | undefined {
  if (cwd === undefined) return undefined;
  const made = worktrees.find(
    ({ path }) => cwd === path || (cwd.startsWith(path) && /[\\/]/.test(cwd[path.length] ?? '')),
  );
  return made ? { folder: made.project + cwd.slice(made.path.length), worktree: made.name } : { folder: cwd };
}

/** For people: `shop`, or `shop · work tree k7qdbn`. */
export function originText(cwd: string | undefined, worktrees: readonly WorktreeInfo[]): string {
  const origin = originOf(cwd, worktrees);
  if (!origin) return '';
  const name = projectName(origin.folder);
  return origin.worktree === undefined ? name : `${name} · work tree ${origin.worktree}`;
}
