/** Agents that are started here, to go on with sessions that had ended. They are kept as any run is, and end with the panels. */
import { settleRun } from '../../../archive/index.js';
import { keepFiles } from '../../../checkpoint/index.js';
import { agentNamed } from '../../../decode/index.js';
import { continueUnder, defaultsFor, type RunHandle, run } from '../../../run/index.js';
import { keepRun, type SessionRecord, type Store } from '../../../store/index.js';
import { createNeighbours, releaseWorktree, reuseWorktree } from '../../../worktree/index.js';
import { continuation } from '../../kept/continuation.js';
import { configurationFor } from '../../run-request.js';

export interface OwnRuns {
  /** Throws a `GlassboxError` that says why when it cannot be started. */
  resume(session: SessionRecord, prompt: string): Promise<void>;
  /** Ends all of them; resolves when they are gone and all is written. */
  close(): Promise<void>;
}

export function createOwnRuns(
  store: Store,
  process: NodeJS.Process,
  { onCount, onTrouble }: { onCount(count: number): void; onTrouble(text: string): void },
): OwnRuns {
  const running = new Map<RunHandle, Promise<void>>();

  async function settled(handle: RunHandle, done: Promise<unknown>): Promise<void> {
    await done;
    const { hasOtherIds } = agentNamed(handle.agent)?.transcripts ?? {};
    // What of it was read from disk meanwhile is not told twice.
    await settleRun(store, handle.runId, { hasOtherIds }).catch(() => {});
    running.delete(handle);
    onCount(running.size);
  }

  return {
    async resume(session, prompt) {
      const { agent, cwd = process.cwd() } = session;
      const { settings } = await configurationFor(cwd, process);
      const terms = continueUnder(session.runs.at(-1)?.terms);
      const request = { ...terms, agent, prompt, cwd, ...(await continuation(session)) };
      const worktree = await reuseWorktree(cwd);
      const neighbours = createNeighbours(store, cwd);
      const handle = run(
        { followUp: true, ...request, attended: true, stderr: () => {}, alsoHere: neighbours.names },
        { approvalTimeoutMs: 0, ...defaultsFor(settings, agent) },
      );
      neighbours.tell(handle);
      const files = settings.checkpoints === false ? undefined : keepFiles(handle, onTrouble);
      const { done } = keepRun(handle, {
        store,
        onStoreFailure: ({ message }) => onTrouble(`This run is not kept. ${message}`),
        onEvent: files?.see,
      });
      const all = Promise.all([done, files?.done]).then(() => worktree && releaseWorktree(worktree));
      running.set(handle, settled(handle, all));
      onCount(running.size);
    },
    async close() {
      for (const handle of running.keys()) handle.cancel('glassbox was closed');
      await Promise.all(running.values());
    },
  };
}
