/** Which work trees glassbox made: one small file for each, written before the first thing is made, so that none is forgotten. */
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { stateDirectory } from '../run/index.js';
import type { ProcessIdentity } from '../run/process/reaper.js';

export interface WorktreeRecord {
  /** Of the folder and of the branch below `glassbox/`. */
  name: string;
  /** The top of the user's own work tree, from which it was made. */
  project: string;
  path: string;
  branch: string;
  /** The commit that it began with. */
  base: string;
  /** All its files when its run began, but for what git ignores; absent until it is whole. */
  tree?: string;
  /** Another run came into it while its first one works: who of them ends first does not take it away. */
  isShared?: true;
  /**
   * `making` until it is whole; `kept` when its run left something in it; `removed` when nothing was: it can be made
   * again; `removing` while it goes with all that is in it, because somebody wants that.
   */
  state: 'making' | 'used' | 'kept' | 'removed' | 'removing';
  /** The glassbox that uses it. */
  owner: ProcessIdentity;
}

/** Where work trees and their records are. */
export function worktreeDirectory(): string {
  return path.join(stateDirectory(process.env, homedir(), process.platform), 'worktrees');
}

export async function writeWorktree(dir: string, record: WorktreeRecord): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = fileOf(dir, record.name);
  await writeFile(`${file}.new`, JSON.stringify(record), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

export async function readWorktrees(dir: string): Promise<WorktreeRecord[]> {
  const names = await readdir(dir).catch(() => []);
  const records = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map(async (name) => {
        try {
          const value: unknown = JSON.parse(await readFile(path.join(dir, name), 'utf8'));
          return isRecord(value) ? [value] : [];
        } catch {
          return [];
        }
      }),
  );
  return records.flat().sort((one, other) => (one.name < other.name ? -1 : 1));
}

export async function forgetWorktree(dir: string, name: string): Promise<void> {
  await rm(fileOf(dir, name), { force: true });
}

const fileOf = (dir: string, name: string): string => path.join(dir, `${name}.json`);

function isRecord(value: unknown): value is WorktreeRecord {
  return typeof value === 'object' && value !== null && 'branch' in value && 'path' in value && 'owner' in value;
}
