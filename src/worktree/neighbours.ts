/** Who else works in the same folder now: told to each of them before they write over each other, and with every question. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { RunHandle } from '../run/index.js';
import type { SessionRecord, Store } from '../store/index.js';

export interface Neighbours {
  /** For people: `k7qd (codex)`. */
  names(): string[];
  /** Tells the run of each, once; ends with it. */
  tell(handle: RunHandle): void;
}

/** Looks at the sessions of a store from now on. A store that fails knows of nobody. */
export function createNeighbours(store: Store | Promise<Store>, cwd: string): Neighbours {
  const top = topOf(cwd);
  const there = new Map<string, string>();
  const told = new Set<string>();
  let own: RunHandle | undefined;

  const see = (session: SessionRecord): void => {
    const { id, agent, state, runs } = session;
    const isOther =
      session.cwd !== undefined && topOf(session.cwd) === top && !runs.some(({ runId }) => runId === own?.runId);
    if (state === 'ended' || !isOther) return void there.delete(id);
    there.set(id, `${id} (${agent})`);
    if (!own || told.has(id)) return;
    told.add(id);
    own.warn(
      'shared-folder',
      `Another session works in this folder too, ${id} (${agent}): they may write over each other. ${INSTEAD}`,
    );
  };

  const follow = async (handle: RunHandle): Promise<void> => {
    const ended = new AbortController();
    void handle.completion.then(() => ended.abort());
    const opened = await store;
    const changes = opened.watch({ signal: ended.signal });
    for (const state of ['running', 'waiting'] as const) (await opened.list({ state, limit: 100 })).items.forEach(see);
    for await (const sessions of changes) if (!ended.signal.aborted) sessions.forEach(see);
  };

  return {
    names: () => [...there.values()],
    tell(handle) {
      own = handle;
      void follow(handle).catch(() => {});
    },
  };
}

const INSTEAD = 'glassbox run --worktree gives a run a folder of its own.';

/** The work tree that a folder is in; without one the folder itself. */
function topOf(cwd: string): string {
  for (let dir = path.resolve(cwd); ; dir = path.dirname(dir)) {
    if (existsSync(path.join(dir, '.git'))) return dir;
    if (dir === path.dirname(dir)) return path.resolve(cwd);
  }
}
