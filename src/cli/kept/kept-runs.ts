/** Starts runs that are kept in the store, unless that is not wanted; answers that somebody gives elsewhere reach them. */
import { settleRun } from '../../archive/index.js';
import { keepFiles } from '../../checkpoint/index.js';
import { agentNamed } from '../../decode/index.js';
import type { AgentEvent } from '../../event/index.js';
import { createParking, type GoOn } from '../../parking/index.js';
import { type RunHandle, type RunRequest, run, type Settings } from '../../run/index.js';
import { keepRun, type SessionRecord } from '../../store/index.js';
import { createNeighbours } from '../../worktree/index.js';
import type { KeepFlags } from '../flag/store-flag.js';
import { note } from '../print/note.js';
import type { Remarks } from '../print/printer.js';
import { openKept } from './open-kept.js';

export interface KeptRuns {
  /** `goOn`: it goes on by itself when a limit stopped it, as whoever started it waits for. */
  start(request: RunRequest, defaults: Partial<RunRequest>, goOn?: GoOn): RunHandle;
  /** The short id of the session that the run belongs to; undefined where it is not kept. */
  idOf(runId: string): Promise<string | undefined>;
  /** Resolves when the runs that have ended are over for the store too: then their session can be gone on with. */
  written(): Promise<void>;
  /** Resolves when all is written, with the last session; undefined when it was not kept. */
  close(): Promise<SessionRecord | undefined>;
}

export function createKeptRuns(
  { store: location, noStore, checkpoints }: KeepFlags,
  settings: Settings,
  stderr: Remarks,
): KeptRuns {
  if (noStore)
    return { start: run, idOf: async () => undefined, written: async () => {}, close: async () => undefined };
  const store = openKept(location);
  const keepsFiles = checkpoints ?? settings.checkpoints ?? true;
  const running: Promise<unknown>[] = [];
  const started = new Map<string, string>();
  let lastId: string | undefined;
  let hasFailed = false;

  return {
    start(request, defaults, goOn) {
      const neighbours = createNeighbours(store, request.cwd ?? process.cwd());
      const handle = run({ ...request, alsoHere: neighbours.names }, defaults);
      neighbours.tell(handle);
      const files = keepsFiles ? keepFiles(handle, (message) => note(stderr, message)) : undefined;
      const park = createParking({
        ...{ runId: handle.runId, agent: handle.agent, cwd: handle.beginning.cwd, goOn },
        request: { ...defaults, ...request },
        store: store.then(({ location: where }) => where),
      });
      const onEvent = (event: AgentEvent): void => {
        files?.see(event);
        park.see(event);
      };
      const { done } = keepRun(handle, { store, onStoreFailure: tell, onEvent });
      running.push(done.then(park.done), ...(files ? [files.done] : []));
      started.set(handle.runId, handle.agent);
      lastId = handle.runId;
      return handle;
    },
    async idOf(runId) {
      const opened = await store.catch(() => undefined);
      return (await opened?.session(runId).catch(() => undefined))?.id;
    },
    async written() {
      await Promise.all(running);
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
