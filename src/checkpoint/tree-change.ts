/** What differs between two commits of ours: which files, how many lines, and the lines themselves. */
import type { DifferenceHunk } from '../event/index.js';
import type { LineCount } from './checkpoint.js';
import { git } from './git.js';
import type { WorkTree } from './work-tree.js';

/** A file in a commit, in git's own words. */
export interface TreeEntry {
  mode: string;
  id: string;
}

export interface TreeChange {
  path: string;
  /** Absent where there is no such file. */
  from?: TreeEntry;
  to?: TreeEntry;
}

export const REPOSITORY_MODE = '160000';
export const LINK_MODE = '120000';

export async function changesBetween({ ours }: WorkTree, from: string, to: string): Promise<TreeChange[]> {
  const output = await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to], ours());
  const fields = output.toString('utf8').split('\0');
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode = '', oldId = '', newId = ''] = (fields[at] ?? '').slice(1).split(' ');
    changes.push({
      path: fields[at + 1] ?? '',
      ...(!/^0+$/.test(oldMode) && { from: { mode: oldMode, id: oldId } }),
      ...(!/^0+$/.test(newMode) && { to: { mode: newMode, id: newId } }),
    });
  }
  return changes;
}

/** For each pair of trees the paths that differ, asked for at once. */
export async function pairChanges(
  { ours }: WorkTree,
  pairs: readonly (readonly [from: string, to: string])[],
): Promise<Set<string>[]> {
  const found = pairs.map(() => new Set<string>());
  // Equal ones have no answer of their own to wait for.
  const asked = [...pairs.entries()].filter(([, [from, to]]) => from !== to);
  if (asked.length === 0) return found;
  const input = asked.map(([, [from, to]]) => `${from} ${to}\n`).join('');
  const output = await git(['diff-tree', '--stdin', '-r', '-z', '--raw', '--no-renames'], { ...ours(), input });
  const fields = output.toString('utf8').split('\0');
  let next = -1;
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const heads = /^(?:[0-9a-f]+ [0-9a-f]+\n)*/.exec(fields[at] ?? '')?.[0] ?? '';
    next += heads.split('\n').length - 1;
    found[asked[next]?.[0] ?? -1]?.add(fields[at + 1] ?? '');
  }
  return found;
}

/** By path; files that are no text are not there. */
export async function linesBetween({ ours }: WorkTree, from: string, to: string): Promise<Map<string, LineCount>> {
  const output = await git(['diff-tree', '-r', '-z', '--numstat', '--no-renames', from, to], ours());
  const counts = new Map<string, LineCount>();
  for (const row of output.toString('utf8').split('\0')) {
    const [, added, removed, path] = /^(\d+)\t(\d+)\t([\s\S]+)$/.exec(row) ?? [];
    if (path !== undefined) counts.set(path, { added: Number(added), removed: Number(removed) });
  }
  return counts;
}

/** Lines as bytes (latin1), as they must be to put a file together again; none where the file is no text. */
export async function hunksBetween(
  { ours }: WorkTree,
  from: string,
  to: string,
  path: string,
): Promise<DifferenceHunk[]> {
  const output = await git(['diff-tree', '-r', ...HOW, from, to, '--', path], ours());
  return hunksIn(output.toString('latin1'));
}

export const HOW = ['-p', '-U3', '--no-renames', '--no-color', '--no-ext-diff', '--no-textconv', '--no-prefix'];

/** Of the patch of one file. */
export function hunksIn(patch: string): DifferenceHunk[] {
  const hunks: DifferenceHunk[] = [];
  for (const line of patch.split('\n')) {
    const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
    if (oldStart !== undefined) hunks.push({ oldStart: Number(oldStart), newStart: Number(newStart), lines: [] });
    else if (/^[ +\\-]/.test(line)) hunks.at(-1)?.lines.push(line);
  }
  return hunks;
}

/** The old bytes with some of the hunks done, by their positions. */
export function withHunks(old: Buffer, hunks: readonly DifferenceHunk[], chosen: readonly number[]): Buffer {
  const lines = old.toString('latin1').split(/(?<=\n)/);
  const out: string[] = [];
  let next = 0;
  for (const [position, { oldStart, lines: rows }] of hunks.entries()) {
    if (!chosen.includes(position)) continue;
    // A hunk that takes nothing out names the line before it.
    const begins = rows.some((row) => /^[ -]/.test(row)) ? oldStart - 1 : oldStart;
    out.push(...lines.slice(next, begins));
    next = begins;
    for (const [index, row] of rows.entries()) {
      if (row.startsWith('\\')) continue;
      const isWhole = rows[index + 1]?.startsWith('\\') !== true;
      if (row.startsWith(' ')) out.push(lines[next] ?? '');
      if (row.startsWith('+')) out.push(`${row.slice(1)}${isWhole ? '\n' : ''}`);
      if (/^[ -]/.test(row)) next += 1;
    }
  }
  out.push(...lines.slice(next));
  return Buffer.from(out.join(''), 'latin1');
}
