/**
 * Hears of files that come and grow below some folders. The system tells; what it does not tell is found by a slow walk, which never takes
 * more than a small share of a core. Folders may not be there yet, vanish and come back. Links are not followed.
 */
import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { complaintAbout } from '../own-file.js';

export interface FolderOptions {
  folders: readonly string[];
  home: string;
  /** Whether a file may be of interest, by its path below the folder. */
  isWanted(folder: string, place: string): boolean;
  /** It is new or has changed; at the beginning those that changed since then. */
  onFile(folder: string, path: string): void;
  onGone(path: string): void;
  onTrouble(path: string, message: string): void;
  since: number;
  signal: AbortSignal;
  walkMs: number;
}

export interface FolderWatch {
  /** Everything that was there is known. */
  ready: Promise<void>;
  /** Looks at one file now; somebody knows that it is worth it. */
  look(path: string): void;
  /** Walks through all folders. */
  walk(): Promise<void>;
}

/** A folder that is not there is looked for so often. */
const ABSENT_MS = 900;
/** Whoever walks for a second rests for so many. */
const REST = 150;
/** Systems allow each user some thousands; what is beyond is found by walking. */
const MOST_WATCHERS = 4000;

export function watchFolders(options: FolderOptions): FolderWatch {
  const { folders, signal, since, isWanted, onFile, onGone, onTrouble } = options;
  const watchers = new Map<string, FSWatcher>();
  const stamps = new Map<string, string>();
  const absent = new Set<string>();
  const refused = new Set<string>();
  const rooms = new Map<string, string>();
  let timers: NodeJS.Timeout[] = [];
  let walking: Promise<void> = Promise.resolve();
  let isBeginning = true;

  signal.addEventListener('abort', stop, { once: true });
  const ready = walkAll().then(() => {
    isBeginning = false;
    if (signal.aborted) return;
    timers = [setInterval(lookForAbsent, ABSENT_MS)];
    rest(0);
  });

  return {
    ready,
    look(path) {
      if (stamps.has(path)) stamps.set(path, '');
      void lookAt(path);
    },
    walk: walkAll,
  };

  function stop(): void {
    for (const timer of timers) clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  }

  function rest(tookMs: number): void {
    if (!signal.aborted) timers[1] = setTimeout(() => void walkAgain(), Math.max(options.walkMs, tookMs * REST));
  }

  async function walkAgain(): Promise<void> {
    const begun = performance.now();
    await walkAll();
    rest(performance.now() - begun);
  }

  function lookForAbsent(): void {
    for (const folder of absent) void walkRoot(folder);
  }

  function walkAll(): Promise<void> {
    walking = walking.then(async () => {
      for (const folder of folders) await walkRoot(folder);
    });
    return walking;
  }

  async function walkRoot(folder: string): Promise<void> {
    if (signal.aborted) return;
    const isThere = await staysHome(folder);
    if (isThere === undefined) return void absent.add(folder);
    if (isThere) {
      absent.delete(folder);
      return walk(folder, folder);
    }
    if (!refused.has(folder)) onTrouble(folder, 'It is a link that leads out of the home directory.');
    refused.add(folder);
  }

  /** Undefined when it is not there. Somebody who names a place elsewhere means it; a place in the home that is elsewhere may not. */
  async function staysHome(folder: string): Promise<boolean | undefined> {
    const real = await realpath(folder).catch(() => undefined);
    if (real === undefined) return undefined;
    const home = await realpath(options.home).catch(() => options.home);
    return isBelow(home, real) || !isBelow(options.home, resolve(folder));
  }

  async function walk(root: string, folder: string): Promise<void> {
    if (signal.aborted) return;
    listen(root, folder);
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') forget(folder);
      else if (!refused.has(folder)) onTrouble(folder, `The folder cannot be read (${error.code}).`);
      if (error.code !== 'ENOENT') refused.add(folder);
      return [];
    });
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(root, path);
      else if (entry.isFile() && isWanted(root, placeIn(root, path))) await lookAtFile(root, path);
    }
  }

  function listen(root: string, folder: string): void {
    rooms.set(folder, root);
    if (watchers.has(folder) || watchers.size >= MOST_WATCHERS) return;
    try {
      const watcher = watch(folder, { persistent: true }, (_, name) => {
        // By its own name a folder says that it is gone; another one may be in its place by now.
        if (name === basename(folder)) forget(folder);
        if (name === null || name === basename(folder)) void walk(root, folder);
        else void lookAt(join(folder, name));
      });
      watcher.on('error', () => forget(folder));
      watchers.set(folder, watcher);
    } catch {
      // No more of them are allowed, or it is gone: walking finds what is there.
    }
  }

  function forget(folder: string): void {
    for (const [path, watcher] of watchers) {
      if (path !== folder && !isBelow(folder, path)) continue;
      watcher.close();
      watchers.delete(path);
      rooms.delete(path);
    }
    for (const path of stamps.keys()) if (isBelow(folder, path)) lose(path);
    if (folders.includes(folder)) absent.add(folder);
  }

  function lose(path: string): void {
    if (stamps.delete(path)) onGone(path);
  }

  async function lookAt(path: string): Promise<void> {
    const root = rooms.get(path) ?? rooms.get(join(path, '..')) ?? folders.find((folder) => isBelow(folder, path));
    if (root === undefined || signal.aborted) return;
    const facts = await lstat(path).catch(() => undefined);
    if (!facts) {
      if (watchers.has(path)) forget(path);
      return lose(path);
    }
    if (facts.isDirectory()) return watchers.has(path) ? undefined : walk(root, path);
    if (isWanted(root, placeIn(root, path))) return lookAtFile(root, path);
  }

  async function lookAtFile(root: string, path: string): Promise<void> {
    const facts = await lstat(path).catch(() => undefined);
    if (!facts || complaintAbout(facts) !== undefined || signal.aborted) return;
    const stamp = `${facts.ino} ${facts.size} ${facts.mtimeMs}`;
    const before = stamps.get(path);
    if (before === stamp) return;
    stamps.set(path, stamp);
    if (!isBeginning || facts.mtimeMs >= since) onFile(root, path);
  }
}

function placeIn(root: string, path: string): string {
  return relative(root, path).split(sep).join('/');
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
