/** The files of a project by a part of their paths: what git knows and what it does not ignore, elsewhere what lies there, within bounds. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { tryGit } from '../checkpoint/index.js';

export interface ProjectFiles {
  /** Relative to the folder, with slashes, the nearest first. */
  find(folder: string, text: string): Promise<string[]>;
}

const MOST_FOUND = 20;
const MOST_FILES = 100_000;
const MOST_WALKED = 20_000;
/** Somebody types a few letters in this time. */
const FRESH_MS = 5000;
/** Nobody means these, and they are large. */
const LEFT_OUT = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__']);

export function createProjectFiles(now: () => number = Date.now): ProjectFiles {
  let last: { folder: string; at: number; names: Promise<string[]> } | undefined;
  const namesIn = (folder: string): Promise<string[]> => {
    if (last?.folder !== folder || now() - last.at > FRESH_MS) last = { folder, at: now(), names: listFiles(folder) };
    return last.names;
  };
  return { find: async (folder, text) => nearest(await namesIn(folder), text) };
}

/** The name that begins so, then one that has it, then a path that has it, then one that has its letters in order. */
export function nearest(names: readonly string[], text: string): string[] {
  const wanted = text.toLowerCase();
  const ranked: string[][] = [[], [], [], []];
  for (const name of names) {
    const rank = rankOf(name.toLowerCase(), wanted);
    if (rank !== undefined) ranked[rank]?.push(name);
  }
  const shortFirst = (left: string, right: string) => left.length - right.length || (left < right ? -1 : 1);
  return ranked.flatMap((same) => same.sort(shortFirst)).slice(0, MOST_FOUND);
}

function rankOf(name: string, wanted: string): number | undefined {
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (base.startsWith(wanted)) return 0;
  if (base.includes(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  let at = 0;
  for (const letter of name) if (letter === wanted[at]) at += 1;
  return at >= wanted.length ? 3 : undefined;
}

async function listFiles(folder: string): Promise<string[]> {
  const listed = await tryGit(['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: folder,
  }).catch(() => undefined);
  if (listed?.status !== 0) return walk(folder);
  return listed.stdout.toString('utf8').split('\0').filter(Boolean).slice(0, MOST_FILES);
}

async function walk(folder: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let within = folders.shift(); within !== undefined && found.length < MOST_WALKED; within = folders.shift()) {
    const entries = await readdir(path.join(folder, within), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = within === '' ? entry.name : `${within}/${entry.name}`;
      if (entry.isFile()) found.push(name);
      else if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) folders.push(name);
    }
  }
  return found;
}
