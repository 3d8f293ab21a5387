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
  const tops = new Map<string, string>();
  const topOf = (place: string): string => {
    const top = tops.get(place) ?? findTop(place);
    tops.set(place, top);
    return top;
  };
  const top = topOf(cwd);
  const there = new Map<string, string>();
  const told = new Set<string>();
  let own: RunHandle | undefined;

  const note = ({ id, agent, state, cwd: place, runs }: SessionRecord): void => {
    const isOther = place !== undefined && topOf(place) === top && !runs.some(({ runId }) => runId === own?.runId);
    if (state === 'ended' || !isOther) there.delete(id);
    else there.set(id, `${id} (${agent})`);
  };

  const see = (sessions: readonly SessionRecord[]): void => {
    sessions.forEach(note);
    const come = [...there].filter(([id]) => !told.has(id));
    if (!own || come.length === 0) return;
    own.warn(
      'shared-folder',
      sentenceFor(
        come.map(([, name]) => name),
        told.size === 0,
      ),
    );
    for (const [id] of come) told.add(id);
  };

  const follow = async (handle: RunHandle): Promise<void> => {
    const ended = new AbortController();
    void handle.completion.then(() => ended.abort());
    const opened = await store;
    const changes = opened.watch({ signal: ended.signal });
    const lists = (['running', 'waiting'] as const).map((state) => opened.list({ state, limit: 100 }));
    see((await Promise.all(lists)).flatMap(({ items }) => items));
    for await (const sessions of changes) if (!ended.signal.aborted) see(sessions);
  };

  return {
    names: () => [...there.values()],
    tell(handle) {
      own = handle;
      void follow(handle).catch(() => {});
    },
  };
}

/** What to do about it is said once. */
function sentenceFor(names: readonly string[], isFirst: boolean): string {
  const [others, work] = names.length === 1 ? ['Another session works', 'works'] : ['Others work', 'work'];
  const all = names.join(', ');
  return isFirst
    ? `${others} in this folder too, ${all}: they may write over each other. ${INSTEAD}`
    : `Now ${all} ${work} in this folder too.`;
}

const INSTEAD = 'glassbox run --worktree gives a run a folder of its own.';

/** The work tree that a folder is in; without one the folder itself. */
function findTop(cwd: string): string {
  for (let dir = path.resolve(cwd); ; dir = path.dirname(dir)) {
    if (existsSync(path.join(dir, '.git'))) return dir;
    if (dir === path.dirname(dir)) return path.resolve(cwd);
  }
}
