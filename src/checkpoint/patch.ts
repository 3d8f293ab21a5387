/** Texts and patches of many files, asked for at once. */
import type { DifferenceHunk } from '../event/index.js';
import { git } from './git.js';
import { HOW, hunksIn, type TreeChange } from './tree-change.js';
import type { WorkTree } from './work-tree.js';

/** A larger file is not looked through as a whole. */
const MOST_BLOB_BYTES = 4 * 1024 * 1024;

/** By path; their lines as people read them. */
export async function readPatches(
  { ours }: WorkTree,
  from: string,
  to: string,
  changes: readonly TreeChange[],
): Promise<Map<string, DifferenceHunk[]>> {
  if (changes.length === 0) return new Map();
  const paths = changes.map(({ path }) => path);
  const output = await git(['diff-tree', '-r', ...HOW, from, to, '--', ...paths], ours());
  const sections = `\n${output.toString('latin1')}`.split('\ndiff --git ').slice(1);
  // Git tells them in the order of their names, as it told the changes.
  return new Map(changes.map(({ path }, index) => [path, hunksIn(sections[index] ?? '').map(readable)]));
}

function readable({ lines, ...hunk }: DifferenceHunk): DifferenceHunk {
  return { ...hunk, lines: lines.map((line) => Buffer.from(line, 'latin1').toString('utf8')) };
}

/** By id, those that are text and not too large. */
export async function readBlobs({ ours }: WorkTree, ids: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (ids.length === 0) return found;
  const wanted = [...new Set(ids)];
  const sizes = (await git(['cat-file', '--batch-check'], { ...ours(), input: `${wanted.join('\n')}\n` }))
    .toString('latin1')
    .split('\n');
  const small = wanted.filter((_, index) => Number(sizes[index]?.split(' ')[2] ?? Number.NaN) <= MOST_BLOB_BYTES);
  if (small.length === 0) return found;
  const output = await git(['cat-file', '--batch'], { ...ours(), input: `${small.join('\n')}\n` });
  let at = 0;
  for (const id of small) {
    const end = output.indexOf(10, at);
    const size = Number(output.toString('latin1', at, end).split(' ')[2]);
    if (end < 0 || !Number.isInteger(size)) break;
    const bytes = output.subarray(end + 1, end + 1 + size);
    if (!bytes.includes(0)) found.set(id, bytes.toString('utf8'));
    at = end + 1 + size + 1;
  }
  return found;
}
