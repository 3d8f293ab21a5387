/** The files of a project, as people name them: those that git knows or would take, else those that lie there. */
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const MOST_FILES = 20_000;
const MOST_BYTES = 4_000_000;
const LONGEST_MS = 3000;
/** Nobody means what is in there. */
const SKIPPED = new Set(['node_modules', '.git', 'dist', 'target', '.venv', '__pycache__']);

export async function projectFiles(cwd: string): Promise<string[]> {
  return (await knownToGit(cwd)) ?? lyingIn(cwd);
}

async function knownToGit(cwd: string): Promise<string[] | undefined> {
  // A project's own settings start no program here.
  const words = ['-c', 'core.fsmonitor=false', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  try {
    const { stdout } = await promisify(execFile)('git', words, { cwd, maxBuffer: MOST_BYTES, timeout: LONGEST_MS });
    return stdout.split('\0').filter(Boolean).slice(0, MOST_FILES);
  } catch {
    return undefined;
  }
}

/** The nearest first. */
async function lyingIn(cwd: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined && found.length < MOST_FILES; folder = folders.shift()) {
    const entries = await readdir(path.join(cwd, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(name);
      else if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(name);
    }
  }
  return found;
}
