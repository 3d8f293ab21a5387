/** Which sessions of a store are live in which folder: looked at once for all runs of this process, however many there are. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SessionRecord, Store } from '../store/index.js';

export interface LiveFolders {
  /** Those in this folder, by id. */
  sessionsIn(top: string): ReadonlyMap<string, LiveSession>;
  /** Calls back now and whenever somebody comes into the folder or leaves it, until the returned function is called. */
  follow(top: string, notice: () => void): () => void;
}

export interface LiveSession {
  /** For people: `k7qd (codex)`. */
  name: string;
  cwd: string;
  runIds: readonly string[];
}

const LOOK_MS = 500;

const known = new WeakMap<Store, LiveFolders>();

export function liveFoldersOf(store: Store): LiveFolders {
  const folders = known.get(store) ?? createLiveFolders(store);
  known.set(store, folders);
  return folders;
}

/** The work tree that a folder is in; without one the folder itself. */
export function topOf(cwd: string): string {
  for (let dir = path.resolve(cwd); ; dir = path.dirname(dir)) {
    if (existsSync(path.join(dir, '.git'))) return dir;
    if (dir === path.dirname(dir)) return path.resolve(cwd);
  }
}

function createLiveFolders(store: Store): LiveFolders {
  const folders = new Map<string, Map<string, LiveSession>>();
  const places = new Map<string, string>();
  const notices = new Set<{ top: string; call: () => void }>();
  let watching: AbortController | undefined;

  const see = (sessions: readonly SessionRecord[]): void => {
    const changed = new Set(sessions.flatMap(note));
    for (const { top, call } of notices) if (changed.has(top)) call();
  };

  /** The folders in which it is no longer, or newly. Most news are that somebody goes on. */
  const note = ({ id, agent, state, cwd, runs }: SessionRecord): string[] => {
    const before = places.get(id);
    const was = before === undefined ? undefined : folders.get(before)?.get(id);
    const isLive = state !== 'ended' && cwd !== undefined;
    if (isLive && was?.cwd === cwd && was.runIds.length === runs.length) return [];
    if (before !== undefined) leave(before, id);
    const left = before === undefined ? [] : [before];
    if (!isLive) return left;
    const top = topOf(cwd);
    const there = folders.get(top) ?? new Map<string, LiveSession>();
    folders.set(top, there.set(id, { name: `${id} (${agent})`, cwd, runIds: runs.map(({ runId }) => runId) }));
    places.set(id, top);
    return [top, ...left];
  };

  const leave = (top: string, id: string): void => {
    places.delete(id);
    folders.get(top)?.delete(id);
    if (folders.get(top)?.size === 0) folders.delete(top);
  };

  const watch = async (signal: AbortSignal): Promise<void> => {
    const changes = store.watch({ signal });
    const lists = (['running', 'waiting'] as const).map((state) => store.list({ state, limit: 100 }));
    see((await Promise.all(lists)).flatMap(({ items }) => items));
    for await (const sessions of changes) {
      if (!signal.aborted) see(sessions);
      // Sessions change with every word; who comes and goes is soon enough.
      await setTimeout(LOOK_MS, undefined, { signal, ref: false });
    }
  };

  /** A store that fails knows of nobody. */
  const forget = (): void => {
    folders.clear();
    places.clear();
  };

  return {
    sessionsIn: (top) => folders.get(top) ?? new Map<string, LiveSession>(),
    follow(top, call) {
      const notice = { top, call };
      notices.add(notice);
      call();
      if (!watching) {
        const own = new AbortController();
        watching = own;
        void watch(own.signal)
          .catch(() => {})
          .finally(() => {
            if (watching !== own) return;
            watching = undefined;
            forget();
          });
      }
      return () => {
        notices.delete(notice);
        if (notices.size > 0) return;
        watching?.abort();
        watching = undefined;
        forget();
      };
    },
  };
}
