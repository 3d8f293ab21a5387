/**
 * A mark that a process passes on to everything it starts and cannot lose by cleaning its environment, leaving its group or losing
 * its parent: the limit on file locks, which Linux inherits, shows in /proc and has not obeyed since 2.4. The run's id as a number.
 */
import { createHash } from 'node:crypto';

export function markOf(runId: string): string {
  return String(LOWEST + createHash('sha256').update(runId).digest().readUIntBE(0, 6));
}

/** Whether it is the mark of some run, and no limit that somebody set. */
export function isMark(locks: string): boolean {
  return Number(locks) >= LOWEST && Number(locks) < LOWEST + 2 ** 48;
}

/** Nothing that anybody would set, and exact as a number. */
const LOWEST = 2 ** 50;

/** From the text of /proc/PID/limits. */
export function parseMark(limits: string): string | undefined {
  return /^Max file locks +(\d+) /m.exec(limits)?.[1];
}
