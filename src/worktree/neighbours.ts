/** Who else works in the same folder now: told to each of them before they write over each other, and with every question. */
import type { RunHandle } from '../run/index.js';
import type { Store } from '../store/index.js';
import { liveFoldersOf, topOf } from './live-folders.js';

export interface Neighbours {
  /** For people: `k7qd (codex)`. */
  names(): string[];
  /** Tells the run of each, once; ends with it. */
  tell(handle: RunHandle): void;
}

/** Looks at the sessions of a store from when there is a run. A store that fails knows of nobody. */
export function createNeighbours(store: Store | Promise<Store>, cwd: string): Neighbours {
  const top = topOf(cwd);
  const told = new Set<string>();
  let names = (): string[] => [];

  const follow = async (handle: RunHandle): Promise<void> => {
    const folders = liveFoldersOf(await store);
    const others = () => [...folders.sessionsIn(top)].filter(([, { runIds }]) => !runIds.includes(handle.runId));
    const warn = (): void => {
      const come = others().filter(([id]) => !told.has(id));
      if (come.length === 0) return;
      const sentence = sentenceFor(
        come.map(([, { name }]) => name),
        told.size === 0,
      );
      for (const [id] of come) told.add(id);
      handle.warn('shared-folder', sentence);
    };
    names = () => others().map(([, { name }]) => name);
    const leave = folders.follow(top, warn);
    await handle.completion;
    leave();
  };

  return {
    names: () => names(),
    tell: (handle) => void follow(handle).catch(() => {}),
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
