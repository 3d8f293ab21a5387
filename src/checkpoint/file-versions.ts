/** Some files as they were in many commits of ours, asked for at once. */
import { git } from './git.js';
import { readBlobs } from './patch.js';
import { changesBetween } from './tree-change.js';
import type { WorkTree } from './work-tree.js';

export interface FileVersions {
  /** Names what a file was in a commit; undefined where it was not there, or is no file. */
  idOf(commit: string, path: string): string | undefined;
  /** The texts of these; what is no text, or too large, is not there. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What went between two commits. */
  gone(from: string, to: string): Promise<{ path: string; id: string }[]>;
}

/** Asks about more files when they are wanted. */
export async function fileVersions(
  workTree: WorkTree,
  commits: readonly string[],
  paths: readonly string[],
): Promise<FileVersions> {
  const known = new Map<string, string>();
  const wanted = [...new Set(commits)].flatMap((commit) => [...new Set(paths)].map((path) => [commit, path] as const));
  // A line break in a name would be another question.
  const asked = wanted.filter(([, path]) => !path.includes('\n'));
  if (asked.length > 0) {
    const input = asked.map(([commit, path]) => `${commit}:${path}\n`).join('');
    const output = await git(['cat-file', '--batch-check=%(objecttype) %(objectname)'], { ...workTree.ours(), input });
    const answers = output.toString('utf8').split('\n');
    for (const [index, [commit, path]] of asked.entries()) {
      const [, id] = /^blob ([0-9a-f]+)$/.exec(answers[index] ?? '') ?? [];
      if (id !== undefined) known.set(`${commit} ${path}`, id);
    }
  }
  return {
    idOf: (commit, path) => known.get(`${commit} ${path}`),
    read: (ids) => readBlobs(workTree, ids),
    gone: async (from, to) =>
      (await changesBetween(workTree, from, to)).flatMap(({ path, from: was, to: is }) =>
        was && !is ? [{ path, id: was.id }] : [],
      ),
  };
}
