/**
 * What was done in one work tree, brought into another of the same repository: only where that writes over nothing that somebody changed,
 * and as a rewind, so that it is finished when it was cut off and can be taken back.
 */
import { lstat } from 'node:fs/promises';
import path from 'node:path';
import type { LeftFile, LineCount } from './checkpoint.js';
import { commitWith } from './commit-with.js';
import { checkpointDirectory } from './directory.js';
import { fileOf, type PreparedChange } from './rewind-plan.js';
import { anchor, take } from './take.js';
import { changesBetween, linesBetween, REPOSITORY_MODE, type TreeChange, type TreeEntry } from './tree-change.js';
import { findWorkTree } from './work-tree.js';

/** All files of a folder as they are now, kept under a ref until that is removed. Gives the commit. */
export async function keepMoment(top: string, ref: string, dir: string = checkpointDirectory()): Promise<string> {
  const workTree = await findWorkTree(top, dir);
  const { commit } = await take(workTree);
  await anchor(workTree, ref, commit);
  return commit;
}

export interface DifferenceSize extends LineCount {
  /** Of all sorts; `added` and `removed` count the lines of those that are text. */
  files: number;
}

export async function differenceSize(
  top: string,
  from: string,
  to: string,
  dir: string = checkpointDirectory(),
): Promise<DifferenceSize> {
  const workTree = await findWorkTree(top, dir);
  const [changes, lines] = await Promise.all([changesBetween(workTree, from, to), linesBetween(workTree, from, to)]);
  const sum = (of: keyof LineCount) => [...lines.values()].reduce((total, count) => total + count[of], 0);
  return { files: changes.length, added: sum('added'), removed: sum('removed') };
}

export interface BroughtOver {
  /** What `rewind` would do. */
  plan: PreparedChange;
  /** Files that are neither what they were before nor what they would become: nothing may be done then. */
  inTheWay: string[];
}

/** What would change in a folder if the difference between two commits of its repository were made there. */
export async function bringOver(
  top: string,
  from: string,
  to: string,
  dir: string = checkpointDirectory(),
): Promise<BroughtOver> {
  const workTree = await findWorkTree(top, dir);
  const { commit: now, skipped } = await take(workTree);
  const all = await changesBetween(workTree, from, to);
  const wanted = all.filter((change) => !isRepository(change));
  const left = all.filter(isRepository).map(({ path: name }): LeftFile => ({ path: name, why: 'repository' }));
  const since = new Map((await changesBetween(workTree, from, now)).map((change) => [change.path, change]));
  const isDone = ({ path: name, from: was, to: is }: TreeChange): boolean =>
    isSame(is, since.has(name) ? since.get(name)?.to : was);
  const open = wanted.filter((change) => !isDone(change));
  const unread = new Set(skipped.map(({ path: name }) => name));
  const inTheWay: string[] = [];
  for (const change of open) {
    const isFree = !since.has(change.path) && !unread.has(change.path) && !isCrossed(change, since);
    // What git ignores is not kept, so it could not be had back.
    if (!isFree || (!change.from && (await isThere(path.join(workTree.top, change.path))))) inTheWay.push(change.path);
  }
  const then = inTheWay.length > 0 ? now : await commitWith(workTree, now, open);
  const lines = await linesBetween(workTree, now, then);
  const files = open.map((change) => fileOf(change, false, lines.get(change.path)));
  return { plan: { workTree, top: workTree.top, now, then, files, left }, inTheWay };
}

/** A file stands where a folder is to be, or the other way round. */
function isCrossed({ path: name, to }: TreeChange, since: ReadonlyMap<string, TreeChange>): boolean {
  if (!to) return false;
  return [...since.values()].some(
    (other) => other.to && (other.path.startsWith(`${name}/`) || name.startsWith(`${other.path}/`)),
  );
}

const isRepository = ({ from, to }: TreeChange): boolean =>
  from?.mode === REPOSITORY_MODE || to?.mode === REPOSITORY_MODE;

const isSame = (one: TreeEntry | undefined, other: TreeEntry | undefined): boolean =>
  one?.id === other?.id && one?.mode === other?.mode;

/** Folders make room where nothing is in them. */
const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    (facts) => !facts.isDirectory(),
    () => false,
  );
