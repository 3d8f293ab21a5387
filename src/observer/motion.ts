/**
 * Whether programs draw. One that works in a terminal moves something there all the time, and one that waits for a person leaves it as it is.
 * What it writes is counted by the kernel; a still process proves nothing by itself, and says something only beside what it was doing last.
 */
import type { ProcessList, ProcessSeen } from './process-list.js';

export type Movement =
  /** It draws, for longer than a key that is pressed takes, since then. */
  | { isMoving: true; since: number }
  /** It could have drawn and did not, since then. */
  | { isMoving: false; since: number };

export interface Motion {
  /** To be asked at each look: what happened between two of them is the answer. Of several processes the one that moves counts. */
  see(processes: readonly ProcessSeen[], at: number): Movement | undefined;
}

interface Trace {
  began: number;
  at: number;
  bytes: number;
  waitedMs: number;
  movingSince?: number;
  stillSince?: number;
}

/** Below this nothing is drawn: a turning sign takes more, threads that wake each other less. */
const DRAWN_PER_SECOND = 120;
/** A single picture is drawn in less. */
const SURE_MS = 600;
/** Who waited for a processor for so much of the time could not draw. */
const STARVED = 0.6;
/** Looks that follow each other sooner tell nothing new. */
const SOON_MS = 150;
/** After a longer pause nobody knows what happened in it. */
const LONG_MS = 3000;
const MOST = 500;

export function createMotion(list: Pick<ProcessList, 'drawnBy'>): Motion {
  const traces = new Map<number, Trace>();

  function trace(process: ProcessSeen, at: number): Trace | undefined {
    const before = traces.get(process.pid);
    const isSame = before?.began === process.began;
    if (isSame && at - before.at < SOON_MS) return before;
    const drawn = list.drawnBy(process);
    if (!drawn) return undefined;
    const now = { began: process.began, at, ...drawn };
    const next = isSame && at - before.at < LONG_MS ? continued(before, now) : now;
    traces.delete(process.pid);
    traces.set(process.pid, next);
    const [oldest] = traces.keys();
    if (traces.size > MOST && oldest !== undefined) traces.delete(oldest);
    return next;
  }

  return {
    see(processes, at) {
      const all = processes.filter(({ stopped }) => !stopped).flatMap((process) => trace(process, at) ?? []);
      const moving = all.flatMap(({ movingSince = at }) => (at - movingSince >= SURE_MS ? [movingSince] : []));
      if (moving.length > 0) return { isMoving: true, since: Math.min(...moving) };
      const still = all.flatMap(({ stillSince }) => stillSince ?? []);
      if (still.length === 0 || still.length < all.length) return undefined;
      return { isMoving: false, since: Math.max(...still) };
    },
  };
}

function continued(before: Trace, now: Trace): Trace {
  const { movingSince, stillSince } = before;
  const passedMs = now.at - before.at;
  const known = { ...(movingSince !== undefined && { movingSince }), ...(stillSince !== undefined && { stillSince }) };
  if (((now.bytes - before.bytes) * 1000) / passedMs >= DRAWN_PER_SECOND) {
    const since = movingSince ?? before.at;
    // One picture more does not end a pause.
    return { ...now, movingSince: since, ...(now.at - since < SURE_MS && stillSince !== undefined && { stillSince }) };
  }
  if (now.waitedMs - before.waitedMs > passedMs * STARVED) return { ...now, ...known };
  return { ...now, stillSince: stillSince ?? before.at };
}
