import { randomUUID } from 'node:crypto';
import { apply } from './apply.js';
import { checkpointDirectory } from './directory.js';
import { take } from './take.js';
import { findWorkTree } from './work-tree.js';

/** Makes the files of a work tree be as a checkpoint of the same repository has them. For one that nobody works in yet. */
export async function putFiles(top: string, commit: string, dir: string = checkpointDirectory()): Promise<void> {
  const workTree = await findWorkTree(top, dir);
  const { commit: now } = await take(workTree);
  await apply(workTree, now, commit, randomUUID());
}

/** Names all files of a work tree as they are now, but for what git ignores. */
export async function treeOf(top: string, dir: string = checkpointDirectory()): Promise<string> {
  return (await take(await findWorkTree(top, dir))).tree;
}
