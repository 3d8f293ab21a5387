/**
 * Threads for stores. One that a closed store in memory has left is kept for the next one of this process, because to start a thread takes five
 * times as long as to open a store in it. A file is let go for certain only with its thread: SQLite of the package for older Nodes ends no statement.
 */
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { GlassboxError } from '../../event/index.js';

/** Each has its own heap, so few are kept. */
const MOST_KEPT = 2;

const kept: Worker[] = [];

export function takeThread(): Worker {
  const thread = kept.pop() ?? startThread();
  thread.ref();
  return thread;
}

/** By who has closed the store in it, and hears nothing of it any more. */
export async function leaveThread(thread: Worker, path: string): Promise<void> {
  if (path !== ':memory:' || kept.length === MOST_KEPT) return void (await thread.terminate());
  thread.unref();
  kept.push(thread);
}

function startThread(): Worker {
  const thread = new Worker(workerFile(), {
    // Its garbage is small and young; the default would let every process that keeps a run grow by 20 MB.
    resourceLimits: { maxYoungGenerationSizeMb: 3 },
  });
  const forget = (): void => {
    const at = kept.indexOf(thread);
    if (at >= 0) kept.splice(at, 1);
  };
  // Whoever uses it listens too; one that waits dies unheard.
  thread.on('error', forget);
  thread.on('exit', forget);
  return thread;
}

/** Beside this module in the bundle, above it when it became part of a shared chunk, in `dist` when the sources run. */
function workerFile(): URL {
  const places = ['./', '../', '../../../dist/'].map((folder) => new URL(`${folder}store-worker.js`, import.meta.url));
  const found = places.find((place) => existsSync(place));
  if (!found)
    throw new GlassboxError('store', 'The file store-worker.js is missing: build glassbox first (npm run build).');
  return found;
}
