/** What can be brought over, by what was typed: an attempt of a comparison, or what a run left in a work tree of its own. */
import { stat } from 'node:fs/promises';
import { keepMoment, treeOf } from '../../../checkpoint/index.js';
import { type Attempt, type Comparison, findAttempt, refsOfComparison } from '../../../compare/index.js';
import { GlassboxError } from '../../../event/index.js';
import { isInside } from '../../../run/approval/real-path.js';
import { isAlive } from '../../../run/process/reaper.js';
import { readWorktrees, type WorktreeRecord, worktreeDirectory } from '../../../worktree/index.js';
import type { StoreFlag } from '../../flag/store-flag.js';
import { withStore } from '../../kept/with-store.js';

export interface Done {
  /** As people type it. */
  name: string;
  /** Whose work it is, for people. */
  label: string;
  /** Into whose files. */
  project: string;
  /** Where it was done, while that is there. */
  folder?: string | undefined;
  /** The session of a rewind under which it is kept, so that it can be taken back. */
  kept: string;
  /** Trees or commits: its files when it began, and what became of them. Throws while it goes on, or when nothing is there. */
  moments(): Promise<[before: string, after: string]>;
}

/** Throws a `GlassboxError` when there is none. */
export async function findDone(ref: string, flags: StoreFlag): Promise<Done> {
  const found = await findAttempt(ref);
  if (found) return attempted(found.comparison, found.attempt);
  const trees = (await readWorktrees(worktreeDirectory())).filter(({ state }) => state === 'used' || state === 'kept');
  const cwd = trees.some(({ name }) => name === ref)
    ? undefined
    : await withStore(flags, async (store) => (await store.session(ref))?.cwd);
  const tree = trees.find((one) => one.name === ref || (cwd !== undefined && isInside(cwd, [one.path])));
  if (tree) return inTree(tree);
  throw new GlassboxError(
    'not-found',
    `There is no attempt ${ref}, and no work tree of that name or session. glassbox comparisons and glassbox worktrees list them.`,
  );
}

function attempted({ id, project }: Comparison, attempt: Attempt): Done {
  const { label, folder, session, number, state, before, after } = attempt;
  const name = `${id}/${number}`;
  return {
    ...{ name, label, project, folder, kept: session ?? name },
    async moments() {
      if (state === 'running' || state === 'checking' || state === 'waiting') throw goesOn(name);
      if (before !== undefined && after !== undefined) return [before, after];
      // Of one that was cut off, what is in its folder now.
      if (before === undefined || folder === undefined || !(await isThere(folder))) throw nothingLeft(name);
      return [before, await keepMoment(folder, `${refsOfComparison(id)}/${number}/after`)];
    },
  };
}

function inTree({ name, project, path: folder, branch, tree, state, owner }: WorktreeRecord): Done {
  return {
    ...{ name, label: 'its agent', project, folder, kept: name },
    async moments() {
      if (state === 'used' && (await isAlive(owner))) throw goesOn(name);
      if (tree === undefined || !(await isThere(folder))) throw nothingLeft(name, ` Its branch is ${branch}.`);
      return [treeId(tree), treeId(await treeOf(folder))];
    },
  };
}

/** Behind it may stand what else was seen, which is not kept. */
const treeId = (tree: string): string => tree.split('-', 1)[0] ?? tree;

const isThere = async (folder: string): Promise<boolean> => (await stat(folder).catch(() => undefined)) !== undefined;

const goesOn = (name: string): GlassboxError =>
  new GlassboxError('conflict', `${name} still goes on. Wait for its end.`);

const nothingLeft = (name: string, more = ''): GlassboxError =>
  new GlassboxError('not-found', `${name} left nothing that could be brought over.${more}`);
