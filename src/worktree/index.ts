/** The door of the work trees: a folder and a branch of its own for a run, and who else works in a folder. */
export { type MadeWorktree, makeWorktree, projectOf, reuseWorktree, type WorktreeWish } from './make.js';
export { createNeighbours } from './neighbours.js';
export { readWorktrees, type WorktreeRecord, worktreeDirectory } from './record.js';
export { discardWorktree, isUntouched, releaseLeftWorktrees, releaseWorktree } from './release.js';
