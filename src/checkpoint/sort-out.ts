/** What of the changed files of a work tree is taken, what is gone, and what is left out, with the reason. */
import { constants } from 'node:fs';
import { access, lstat } from 'node:fs/promises';
import path from 'node:path';
import { GlassboxError } from '../event/index.js';
import { counted, size } from '../word/index.js';
import type { SkippedFile, SkipReason } from './checkpoint.js';
import { tryGit } from './git.js';

export interface Bounds {
  /** A larger file is left out. */
  fileBytes: number;
  /** Of all changed files together; beyond it there is no checkpoint. */
  allBytes: number;
  files: number;
}

export interface SortedOut {
  add: string[];
  remove: string[];
  /** Repositories inside, of which only their commit is noted. */
  links: { name: string; commit: string }[];
  skipped: SkippedFile[];
}

/** More repositories inside than these are not asked for their commit. */
const MOST_LINKS = 200;
const AT_ONCE = 64;

/** Throws when there is more than the bounds allow. */
export async function sortOut(top: string, names: readonly string[], bounds: Bounds): Promise<SortedOut> {
  const all = [...new Set(names.map((name) => name.replace(/\/$/, '')))];
  if (all.length > bounds.files) throw tooMuch(`${counted(all.length, 'file')} changed`, `${bounds.files} are kept`);
  const sorted: SortedOut = { add: [], remove: [], links: [], skipped: [] };
  const parents = new Map<string, Promise<boolean>>();
  let bytes = 0;

  const leaveOut = (name: string, why: SkipReason) => {
    sorted.skipped.push({ path: name, why });
    sorted.remove.push(name);
  };

  const place = async (name: string): Promise<void> => {
    if (name.includes('\uFFFD')) return void sorted.skipped.push({ path: name, why: 'name' });
    const file = path.join(top, name);
    // Behind a link or a file that took a folder's place there is nothing of this name.
    const facts = (await isInFolder(top, path.posix.dirname(name), parents))
      ? await lstat(file).catch(() => undefined)
      : undefined;
    if (!facts) return void sorted.remove.push(name);
    if (facts.isDirectory()) return void (await placeFolder(name, file));
    if (facts.isSymbolicLink()) return void sorted.add.push(name);
    if (!facts.isFile()) return void sorted.remove.push(name);
    if (facts.size > bounds.fileBytes) return leaveOut(name, 'too-large');
    if (!(await isReadable(file))) return leaveOut(name, 'unreadable');
    bytes += facts.size;
    sorted.add.push(name);
  };

  const placeFolder = async (name: string, folder: string): Promise<void> => {
    const isRepository = await lstat(path.join(folder, '.git')).then(
      () => true,
      () => false,
    );
    if (!isRepository) return void sorted.remove.push(name);
    const { status, stdout } =
      sorted.links.length < MOST_LINKS
        ? await tryGit(['rev-parse', '-q', '--verify', 'HEAD'], { cwd: folder })
        : { status: 1, stdout: '' };
    if (status === 0) sorted.links.push({ name, commit: stdout.toString().trim() });
    else leaveOut(name, 'repository');
  };

  for (let at = 0; at < all.length; at += AT_ONCE) {
    await Promise.all(all.slice(at, at + AT_ONCE).map(place));
    if (bytes > bounds.allBytes) throw tooMuch(`more than ${size(bounds.allBytes)} changed`, 'so much is not kept');
  }
  sorted.skipped.sort((one, other) => (one.path < other.path ? -1 : 1));
  return sorted;
}

/** Whether a folder of this name is there, reached through folders alone. `known` remembers. */
export function isInFolder(top: string, folder: string, known: Map<string, Promise<boolean>>): Promise<boolean> {
  if (folder === '.') return Promise.resolve(true);
  const asked =
    known.get(folder) ??
    isInFolder(top, path.posix.dirname(folder), known).then(
      async (isIn) =>
        isIn &&
        (await lstat(path.join(top, folder)).then(
          (facts) => facts.isDirectory(),
          () => false,
        )),
    );
  known.set(folder, asked);
  return asked;
}

const isReadable = (file: string): Promise<boolean> =>
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  );

function tooMuch(what: string, bound: string): GlassboxError {
  return new GlassboxError('conflict', `${what}, ${bound}. Tell git what to ignore, or work in a smaller folder.`);
}
