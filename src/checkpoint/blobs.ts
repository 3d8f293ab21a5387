/** Contents of files as git keeps them: read many at once, and named without asking git. */
import { createHash } from 'node:crypto';
import { lstat, readFile, readlink } from 'node:fs/promises';
import { git, gitText } from './git.js';
import { LINK_MODE, type TreeEntry } from './tree-change.js';
import type { WorkTree } from './work-tree.js';

const BATCH_BYTES = 64 * 1024 * 1024;

/** Each by its id, in parts that fit into memory. */
export async function* readBlobs(
  { ours }: WorkTree,
  ids: readonly string[],
): AsyncGenerator<Map<string, Buffer>, void, undefined> {
  const all = [...new Set(ids)];
  if (all.length === 0) return;
  const sizes = await gitText(['cat-file', '--batch-check=%(objectsize)'], { ...ours(), input: `${all.join('\n')}\n` });
  const bytes = sizes.split('\n').map(Number);
  for (let at = 0; at < all.length; ) {
    let end = at;
    for (let sum = 0; end < all.length && (end === at || sum + (bytes[end] ?? 0) <= BATCH_BYTES); end += 1)
      sum += bytes[end] ?? 0;
    const batch = all.slice(at, end);
    const output = await git(['cat-file', '--batch'], { ...ours(), input: `${batch.join('\n')}\n` });
    const found = new Map<string, Buffer>();
    let from = 0;
    for (const [index, id] of batch.entries()) {
      from = output.indexOf('\n', from) + 1;
      const size = bytes[at + index] ?? 0;
      found.set(id, output.subarray(from, from + size));
      from += size + 1;
    }
    yield found;
    at = end;
  }
}

/** What stands there now, as git would name it; undefined when nothing does, or no file. `idLength` tells the kind of repository. */
export async function entryOnDisk(file: string, idLength: number): Promise<TreeEntry | undefined> {
  const facts = await lstat(file).catch(() => undefined);
  if (facts?.isSymbolicLink()) {
    return { mode: LINK_MODE, id: blobId(await readlink(file, { encoding: 'buffer' }), idLength) };
  }
  if (!facts?.isFile()) return undefined;
  return { mode: facts.mode & 0o100 ? '100755' : '100644', id: blobId(await readFile(file), idLength) };
}

function blobId(content: Buffer, idLength: number): string {
  const hash = createHash(idLength > 40 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex');
}
