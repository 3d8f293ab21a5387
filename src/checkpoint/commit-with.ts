import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { git, gitText } from './git.js';
import { AUTHOR } from './take.js';
import type { TreeChange } from './tree-change.js';
import type { WorkTree } from './work-tree.js';

/** The commit with these changes made: what all files are to be. */
export async function commitWith(workTree: WorkTree, base: string, changes: readonly TreeChange[]): Promise<string> {
  const index = path.join(workTree.side, `index-${randomUUID()}`);
  const call = workTree.ours(index);
  const zero = '0'.repeat(base.length);
  try {
    await git(['read-tree', base], call);
    const gone = changes.filter(({ to }) => !to);
    const there = changes.flatMap(({ path: name, to }) => (to ? [`${to.mode} ${to.id}\t${name}\0`] : []));
    const lines = [...gone.map(({ path: name }) => `0 ${zero}\t${name}\0`), ...there].join('');
    if (lines !== '') await git(['update-index', '-z', '--index-info'], { ...call, input: lines });
    const tree = await gitText(['write-tree'], call);
    return await gitText(['commit-tree', tree, '-m', 'glassbox checkpoint'], {
      ...call,
      at: { ...call.at, ...AUTHOR },
    });
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}
