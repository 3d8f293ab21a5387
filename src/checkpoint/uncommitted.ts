/**
 * What git says about some files of a folder: work that is in no commit, and files that git does not keep. The settings and attributes of the
 * repository, which an agent may have written, start no program here: they are not read, ours are.
 */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { type GitCall, gitNames, gitText, tryGit } from './git.js';
import { copyIndex } from './take.js';
import { findWorkTree } from './work-tree.js';

export interface Uncommitted {
  /** From the top of the repository. */
  uncommitted: string[];
  ignored: string[];
}

/** Undefined where the folder is in no repository. Throws when git fails or takes longer. */
export async function uncommittedAmong(
  cwd: string,
  files: readonly string[],
  { dir, timeoutMs }: { dir: string; timeoutMs: number },
): Promise<Uncommitted | undefined> {
  const workTree = await findWorkTree(cwd, dir);
  if (workTree.kind === 'plain') return undefined;
  const theirs: GitCall = { ...workTree.theirs, timeoutMs };
  const head = await tryGit(['rev-parse', '-q', '--verify', 'HEAD^{commit}'], theirs);
  // A copy: who compares also notes what it found out.
  const index = path.join(workTree.side, `index-${randomUUID()}`);
  try {
    await copyIndex(await gitText(['rev-parse', '--path-format=absolute', '--git-path', 'index'], theirs), index);
    const call: GitCall = { ...workTree.ours(index), timeoutMs };
    const before =
      head.status === 0
        ? head.stdout.toString('utf8').trim()
        : await gitText(['hash-object', '-t', 'tree', '--stdin'], call);
    const asked = ['--', ...files.map((file) => path.resolve(cwd, file))];
    const others = ['ls-files', '-z', '-o', '--full-name', '--exclude-standard'];
    const plain = ['--no-ext-diff', '--no-textconv', '--no-renames', '--ignore-submodules=all'];
    const [changed, untracked, ignored] = await Promise.all([
      gitNames(['diff', ...plain, '--name-only', '-z', before, ...asked], call),
      gitNames([...others, ...asked], call),
      gitNames([...others, '-i', ...asked], call),
    ]);
    return { uncommitted: [...new Set([...changed, ...untracked])].sort(), ignored };
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}
