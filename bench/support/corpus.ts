/**
 * Ordinary source, the same on every machine with the same lock file: the files of text of all its packages that are for
 * any system, in the order of their names, without those that are too long to be written by hand.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface SourceText {
  path: string;
  text: string;
}

const TEXT = /\.(?:[cm]?[jt]sx?|json|md|markdown|css|scss|html|ya?ml|sh|txt|svelte|vue)$/;
const MAX_BYTES = 262_144;

interface Lock {
  packages: Record<string, { os?: string[]; cpu?: string[]; optional?: boolean }>;
}

export function readCorpus(root = '.'): SourceText[] {
  const lock: Lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(lock.packages)
    .filter(([folder, { os, cpu, optional }]) => folder !== '' && !os && !cpu && !optional)
    .map(([folder]) => folder)
    .sort()
    .flatMap((folder) => filesIn(path.join(root, folder)))
    .map((file) => ({ path: path.relative(root, file), text: readFileSync(file, 'utf8') }));
}

/** Packages inside of packages stand in the lock file by themselves. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(file);
      return entry.isFile() && TEXT.test(entry.name) && statSync(file).size <= MAX_BYTES ? [file] : [];
    });
}
