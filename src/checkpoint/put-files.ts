import { createHash, randomUUID } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import path from 'node:path';
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

/** Names all files of a work tree as they are now, but for what git ignores; also those that no checkpoint has, by their size and time. */
export async function treeOf(top: string, dir: string = checkpointDirectory()): Promise<string> {
  const { tree, skipped } = await take(await findWorkTree(top, dir));
  if (skipped.length === 0) return tree;
  const facts = skipped.map(async ({ path: name }) => {
    const { size, mtimeMs } = await lstat(path.join(top, name)).catch(() => ({ size: 0, mtimeMs: 0 }));
    return [name, size, mtimeMs];
  });
  const digest = createHash('sha256').update(JSON.stringify(await Promise.all(facts)));
  return `${tree}-${digest.digest('hex')}`;
}
