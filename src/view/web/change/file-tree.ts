/** The files of a review as a tree; a folder that has only one folder is one entry with it. */
import type { ReviewFile } from './review-file.js';

export type TreeRow =
  | { kind: 'folder'; key: string; name: string; depth: number; count: number }
  | { kind: 'file'; key: string; name: string; depth: number; file: ReviewFile };

interface Folder {
  folders: Map<string, Folder>;
  files: [name: string, file: ReviewFile][];
}

/** In the order in which the files stand in the list. */
export function treeRows(files: readonly ReviewFile[]): TreeRow[] {
  const root: Folder = { folders: new Map(), files: [] };
  for (const file of files) {
    const names = file.path.split(/[\\/]/);
    const name = names.pop() ?? file.path;
    let folder = root;
    for (const step of names) {
      const next = folder.folders.get(step) ?? { folders: new Map(), files: [] };
      folder.folders.set(step, next);
      folder = next;
    }
    folder.files.push([name, file]);
  }
  return [...rowsIn(root, '', 0)];
}

/** The same order for the list beside it. */
export function inTreeOrder(files: readonly ReviewFile[]): ReviewFile[] {
  return treeRows(files).flatMap((row) => (row.kind === 'file' ? [row.file] : []));
}

function* rowsIn(folder: Folder, path: string, depth: number): Generator<TreeRow> {
  for (let [name, below] of folder.folders) {
    const key = `${path}${name}/`;
    while (below.files.length === 0 && below.folders.size === 1) {
      const [[next, only] = ['', below]] = below.folders;
      name = `${name}/${next}`;
      below = only;
    }
    yield { kind: 'folder', key, name, depth, count: countIn(below) };
    yield* rowsIn(below, key, depth + 1);
  }
  for (const [name, file] of folder.files) yield { kind: 'file', key: file.path, name, depth, file };
}

function countIn({ files, folders }: Folder): number {
  return [...folders.values()].reduce((sum, below) => sum + countIn(below), files.length);
}
