/** What a process says of the session that it has, by being there, being suspended or being gone. */
import type { Evidence, ProcessId } from '../presence/index.js';
import type { ProcessList, ProcessSeen } from './process-list.js';
import type { RegistryEntry } from './registry-files.js';

export interface Life {
  of(process: ProcessSeen, text: string): Evidence;
  /** With what the file says that names the process. */
  asRegistered(entry: RegistryEntry, found: ProcessSeen | 'gone' | 'unseen', at: number): Evidence[];
}

export function createLife(list: Pick<ProcessList, 'beganAt'> | undefined, now: () => number): Life {
  const stoppedSince = new Map<string, number>();

  function of(process: ProcessSeen, text: string): Evidence {
    const id = idOf(process);
    if (!process.stopped) stoppedSince.delete(id);
    else if (!stoppedSince.has(id)) stoppedSince.set(id, now());
    const [says, at] = process.stopped
      ? (['stopped', stoppedSince.get(id) ?? now()] as const)
      : (['present', process.began] as const);
    return {
      source: 'process',
      says,
      at,
      process: processId(process),
      text: process.stopped ? `${text}, stopped` : text,
    };
  }

  return {
    of,
    asRegistered(entry, found, at) {
      const { process, says, path } = entry;
      const number = process?.pid ?? 0;
      const id =
        typeof found === 'object'
          ? processId(found)
          : process && { pid: number, began: list?.beganAt(process.startTicks) ?? 0 };
      const bound = id ? { process: id } : {};
      const evidence: Evidence[] = [];
      if (says) {
        const what = { source: 'registry', says, at: entry.at, ...bound, text: `${path}: ${entry.text}` } as const;
        evidence.push(entry.for ? { ...what, for: entry.for } : what);
      }
      if (typeof found === 'object') evidence.push(of(found, `process ${number} lives, as ${path} says`));
      else if (found === 'gone' && id) {
        const text = `process ${number}, which ${path} names, is gone`;
        evidence.push({ source: 'process', says: 'absent', at, process: id, text });
      }
      return evidence;
    },
  };
}

export const processId = ({ pid, began }: ProcessSeen): ProcessId => ({ pid, began });

export const idOf = ({ pid, began }: ProcessId): string => `${pid} ${began}`;
