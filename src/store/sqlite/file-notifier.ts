/**
 * Hears of other processes by their writes into the folder of the file, where the system tells of them, and by a look now and then,
 * because no system promises to tell: a network drive, too many watchers.
 */
import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Notifier } from '../notifier.js';

/** A transaction writes many pages: they are one piece of news. */
const MERGE_MS = 10;
const SAFETY_MS = 1000;
/** Where nobody tells, and on systems where that was never tried. */
const ALONE_MS = 100;

export function createFileNotifier(path: string): Notifier {
  let watcher: FSWatcher | undefined;
  let poll: NodeJS.Timeout | undefined;
  let merged: NodeJS.Timeout | undefined;

  return {
    start(heard) {
      // Nobody else sees what is only in memory.
      if (path === ':memory:' || poll) return;
      watcher = process.platform === 'linux' ? watchFolder(path, hear, () => look(ALONE_MS)) : undefined;
      look(watcher ? SAFETY_MS : ALONE_MS);

      function hear(): void {
        merged ??= setTimeout(() => {
          merged = undefined;
          heard();
        }, MERGE_MS);
      }

      function look(everyMs: number): void {
        clearInterval(poll);
        poll = setInterval(heard, everyMs);
      }
    },
    stop() {
      watcher?.close();
      clearInterval(poll);
      clearTimeout(merged);
      watcher = poll = merged = undefined;
    },
  };
}

/** The folder and not the log itself, which comes and goes with those who use the store. */
function watchFolder(path: string, hear: () => void, fail: () => void): FSWatcher | undefined {
  const name = basename(path);
  try {
    const watcher = watch(dirname(path), (_, changed) => {
      if (changed === null || changed.startsWith(name)) hear();
    });
    watcher.on('error', fail);
    return watcher;
  } catch {
    return undefined;
  }
}
