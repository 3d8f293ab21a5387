/** Starts runs that are kept in the store, unless that is not wanted; answers that somebody gives elsewhere reach them. */
import { settleRun } from '../../archive/index.js';
import { agentNamed } from '../../decode/index.js';
import { type RunHandle, type RunRequest, run } from '../../run/index.js';
import { keepRun, openStore, type SessionRecord } from '../../store/index.js';
import type { KeepFlags } from '../flag/store-flag.js';
import { note } from '../print/note.js';
import type { Remarks } from '../print/printer.js';

export interface KeptRuns {
  start(request: RunRequest, defaults: Partial<RunRequest>): RunHandle;
  /** The short id of the session that the run belongs to; undefined where it is not kept. */
  idOf(runId: string): Promise<string | undefined>;
  /** Resolves when all is written, with the last session; undefined when it was not kept. */
  close(): Promise<SessionRecord | undefined>;
}

export function createKeptRuns({ store: location, noStore }: KeepFlags, stderr: Remarks): KeptRuns {
  if (noStore) return { start: run, idOf: async () => undefined, close: async () => undefined };
  const store = openStore(location);
  const running: Promise<unknown>[] = [];
  const started = new Map<string, string>();
  let lastId: string | undefined;
  let hasFailed = false;

  return {
    start(request, defaults) {
      const { handle, done } = keepRun(run(request, defaults), { store, onStoreFailure: tell });
      running.push(done);
      started.set(handle.runId, handle.agent);
      lastId = handle.runId;
      return handle;
    },
    async idOf(runId) {
      const opened = await store.catch(() => undefined);
      return (await opened?.session(runId).catch(() => undefined))?.id;
    },
    async close() {
      await Promise.all(running);
      const opened = await store.catch(() => undefined);
      // What of them was read from disk meanwhile is not told twice.
      for (const [runId, agent] of started) {
        const { hasOtherIds } = agentNamed(agent)?.transcripts ?? {};
        await (opened && settleRun(opened, runId, { hasOtherIds }).catch(() => {}));
      }
      const session = lastId === undefined ? undefined : await opened?.session(lastId).catch(() => undefined);
      await opened?.close();
      return hasFailed ? undefined : session;
    },
  };

  function tell({ message }: Error): void {
    if (!hasFailed) note(stderr, `this run is not kept. ${message}`);
    hasFailed = true;
  }
}
