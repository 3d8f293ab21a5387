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

function readable(hunk: DifferenceHunk): DifferenceHunk {
  const isPlain = !hunk.lines.some((line) => BEYOND_ASCII.test(line));
  return isPlain ? hunk : { ...hunk, lines: hunk.lines.map((line) => Buffer.from(line, 'latin1').toString('utf8')) };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all that is one byte
const BEYOND_ASCII = /[^\u0000-\u007f]/;

/** So much is read without asking how large each is. */
const LITTLE_BYTES = 32 * 1024 * 1024;

/** By id, those that are text and not too large. */
export async function readBlobs(workTree: WorkTree, ids: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const output = await contents(workTree, wanted, LITTLE_BYTES).catch(() => undefined);
  if (output) return textsIn(output, wanted);
  const small = await smallOnes(workTree, wanted);
  return small.length === 0 ? new Map() : textsIn(await contents(workTree, small), small);
}

function contents({ ours }: WorkTree, ids: readonly string[], mostBytes?: number): Promise<Buffer> {
  const bounds = mostBytes === undefined ? {} : { mostBytes };
  return git(['cat-file', '--batch'], { ...ours(), input: `${ids.join('\n')}\n`, ...bounds });
}

async function smallOnes({ ours }: WorkTree, ids: readonly string[]): Promise<string[]> {
  const output = await git(['cat-file', '--batch-check'], { ...ours(), input: `${ids.join('\n')}\n` });
  const sizes = output.toString('latin1').split('\n');
  return ids.filter((_, index) => Number(sizes[index]?.split(' ')[2] ?? Number.NaN) <= MOST_BLOB_BYTES);
}

function textsIn(output: Buffer, ids: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  let at = 0;
  for (const id of ids) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const size = Number(output.toString('latin1', at, end).split(' ')[2]);
    at = end + 1;
    // What is not there has no size, and nothing comes after its line.
    if (!Number.isInteger(size)) continue;
    const bytes = output.subarray(at, at + size);
    if (size <= MOST_BLOB_BYTES && !bytes.includes(0)) found.set(id, bytes.toString('utf8'));
    at += size + 1;
  }
  return found;
}
