/** Which processes have which sessions, where no file says so: by the directory that they work in. */
import type { Conversations, LiveConversation } from './conversations.js';
import { kinOf, type Processes, rootsOf } from './family.js';
import type { ProcessList, ProcessSeen } from './process-list.js';
import type { TranscriptEnd } from './transcript-end.js';

export interface Holding {
  live: LiveConversation;
  processes: ProcessSeen[];
  /** Why it is believed, for people. */
  why: string;
}

export interface Holders {
  held: Holding[];
  /** Where processes work that may have any session of this directory: they began after the last word of all of them. */
  openDirectories: Set<string>;
  /** These processes. */
  left: { process: ProcessSeen; directory: string }[];
}

export interface HolderOptions {
  /** Processes of its program that nothing else accounts for. */
  free: readonly ProcessSeen[];
  all: Processes;
  list: ProcessList;
  conversations: Conversations;
  readEnd(live: LiveConversation): Promise<TranscriptEnd | undefined>;
}

/** A process has one conversation at a time: the one of its directory that changed last since it began. */
export async function findHolders({ free, all, list, conversations, readEnd }: HolderOptions): Promise<Holders> {
  const places = new Map<string, ProcessSeen[]>();
  for (const root of rootsOf(free, all)) {
    const directory = list.directoryOf(root);
    if (directory !== undefined) places.set(directory, [...(places.get(directory) ?? []), root]);
  }
  const began = Math.min(...free.map((process) => process.began));
  const recent = (await conversations.changedSince(began)).toSorted((a, b) => b.changedAt - a.changedAt);
  const held: Holding[] = [];
  const openDirectories = new Set<string>();
  const unaccounted: Holders['left'] = [];
  for (const [directory, roots] of places) {
    const left = roots.toSorted((a, b) => b.began - a.began);
    for (const live of recent) {
      if (left.length === 0) break;
      if ((await readEnd(live))?.cwd !== directory) continue;
      const index = left.findIndex((root) => root.began <= live.changedAt);
      const [root] = index < 0 ? [] : left.splice(index, 1);
      if (root) held.push({ live, processes: ofProgram(root), why: `works in ${directory}, where this changed last` });
    }
    if (left.length > 0) openDirectories.add(directory);
    unaccounted.push(...left.map((process) => ({ process, directory })));
  }
  return { held, openDirectories, left: unaccounted };

  function ofProgram(root: ProcessSeen): ProcessSeen[] {
    const kin = kinOf([root], all);
    return free.filter((process) => kin.includes(process));
  }
}
