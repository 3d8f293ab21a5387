/** The owner of a run, as columns of its row. */
import type { Row } from './row.js';

/** The process that uses the store, as others see it. */
export interface Self {
  pid: number;
  host: string;
  /** Whether a process of this host lives. */
  isAlive(pid: number): boolean;
}

export const HEARTBEAT_MS = 5_000;
/** Three missed beats: the owner is dead or asleep. */
export const SILENT_MS = 3 * HEARTBEAT_MS;

export function isOpen(run: Row): boolean {
  return run.ended_at === null && run.heartbeat_at !== null;
}

export function isInterrupted(run: Row): boolean {
  return run.outcome === 'interrupted';
}

/** Why a session is not gone on with twice. `session`: its short id. */
export function atWorkText({ pid, host }: Row, session: string, own: string): string {
  const where = host === own ? '' : ` on ${host}`;
  return `Another glassbox (process ${pid}${where}) goes on with ${session} just now. Say it to that one: glassbox say ${session} "…"`;
}

export function takenText(run: Row): string {
  const { id, pid } = run;
  if (!isOpen(run)) return `The run "${id}" has ended: nothing can be added to it.`;
  return `Another process (${pid}) keeps the run "${id}" now, so that this one can no longer write to it.`;
}
