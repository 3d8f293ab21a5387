/** Which of some processes stand for themselves, and whom they started. */
import type { ProcessSeen } from './process-list.js';

export type Processes = ReadonlyMap<number, ProcessSeen>;

/** Those of which none of the others is an ancestor: a launcher and the program that it launched are one. */
export function rootsOf(some: readonly ProcessSeen[], all: Processes): ProcessSeen[] {
  const pids = new Set(some.map(({ pid }) => pid));
  return some.filter((process) => !ancestorsOf(process, all).some(({ pid }) => pids.has(pid)));
}

/** With everything that it started and that is still its own. */
export function kinOf(roots: readonly ProcessSeen[], all: Processes): ProcessSeen[] {
  const pids = new Set(roots.map(({ pid }) => pid));
  return [...all.values()].filter(
    (process) => pids.has(process.pid) || ancestorsOf(process, all).some(({ pid }) => pids.has(pid)),
  );
}

export function ancestorsOf(process: ProcessSeen, all: Processes): ProcessSeen[] {
  const found: ProcessSeen[] = [];
  let parent = all.get(process.parent);
  while (parent && parent.pid !== process.pid && !found.includes(parent)) {
    found.push(parent);
    parent = all.get(parent.parent);
  }
  return found;
}
