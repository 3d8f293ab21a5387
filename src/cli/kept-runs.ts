/** Starts runs that are kept in the store, unless that is not wanted; answers that somebody gives elsewhere reach them. */
import { type RunHandle, type RunRequest, run } from '../run/index.js';
import { keepRun } from '../server/keep-run.js';
import { openStore } from '../store/index.js';
import { note } from './note.js';
import type { KeepFlags } from './store-flag.js';

export interface KeptRuns {
  start(request: RunRequest, defaults: Partial<RunRequest>): RunHandle;
  /** Resolves when all is written, with the id of the last session; undefined when it was not kept. */
  close(): Promise<string | undefined>;
}

export function createKeptRuns({ store: location, noStore }: KeepFlags, stderr: NodeJS.WriteStream): KeptRuns {
  if (noStore) return { start: run, close: async () => undefined };
  const store = openStore(location);
  const running: Promise<unknown>[] = [];
  let lastId: string | undefined;
  let hasFailed = false;

  return {
    start(request, defaults) {
      const { handle, done } = keepRun(request, { store, defaults, onStoreFailure: tell });
      running.push(done);
      lastId = handle.runId;
      return handle;
    },
    async close() {
      await Promise.all(running);
      const opened = await store.catch(() => undefined);
      const session = lastId === undefined ? undefined : await opened?.session(lastId).catch(() => undefined);
      await opened?.close();
      return hasFailed ? undefined : session?.id;
    },
  };

  function tell({ message }: Error): void {
    if (!hasFailed) note(stderr, `this run is not kept. ${message}`);
    hasFailed = true;
  }
}
