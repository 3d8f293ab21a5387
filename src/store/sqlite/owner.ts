/** The owners of runs: their heartbeats, and what becomes of a run whose owner is gone. */
import type { Connection } from './connection.js';
import type { Row } from './driver.js';
import { nextVersion } from './run.js';

/** The process that uses the store, as others see it. */
export interface Self {
  pid: number;
  host: string;
  now(): number;
  /** Whether a process of this host lives. */
  isAlive(pid: number): boolean;
}

export const HEARTBEAT_MS = 5_000;
/** Three missed beats: the owner is dead or asleep. */
const SILENT_MS = 3 * HEARTBEAT_MS;

export interface Ownership {
  /** To be called with the row of each run that this process writes to. */
  see(run: Row): void;
  /** All runs of this process live. A run that others took for dead, because this machine slept, lives again. */
  beat(): void;
  /** Marks the runs whose owner is gone as interrupted. */
  reap(): void;
}

export function createOwnership(db: Connection, self: Self): Ownership {
  /** By number, not by process id: those are given to others after a while. */
  const own = new Set<number>();

  return {
    see(run) {
      if (run.host === self.host && run.pid === self.pid) own.add(Number(run.no));
      if (run.outcome === 'interrupted') revive(Number(run.no));
    },
    beat() {
      if (own.size === 0) return;
      const runs = db.all('select * from run where no in (select value from json_each(?))', JSON.stringify([...own]));
      own.clear();
      for (const run of runs) if (run.ended_at === null || run.outcome === 'interrupted') own.add(Number(run.no));
      db.transaction(() => {
        for (const run of runs.filter((one) => own.has(Number(one.no)))) {
          db.run('update run set heartbeat_at = ? where no = ?', self.now(), Number(run.no));
          if (run.outcome === 'interrupted') revive(Number(run.no));
        }
      });
    },
    reap() {
      const open = db.all('select * from run where ended_at is null and heartbeat_at is not null');
      const dead = open.filter(isDead);
      if (dead.length > 0) db.transaction(() => dead.forEach(bury));
    },
  };

  function isDead({ host, pid, heartbeat_at: beatAt }: Row): boolean {
    if (Number(beatAt) < self.now() - SILENT_MS) return true;
    return host === self.host && !self.isAlive(Number(pid));
  }

  function bury({ no, heartbeat_at: beatAt }: Row): void {
    const changed = db.run(
      `update run set ended_at = heartbeat_at, outcome = 'interrupted', version = ?
       where no = ? and ended_at is null and heartbeat_at = ?`,
      ...[nextVersion(db), Number(no), Number(beatAt)],
    );
    if (changed > 0)
      db.run(
        "update approval set status = 'orphaned' where run = ? and status in ('pending', 'decided', 'taken')",
        Number(no),
      );
  }

  function revive(run: number): void {
    db.run(
      'update run set ended_at = null, outcome = null, heartbeat_at = ?, version = ? where no = ?',
      ...[self.now(), nextVersion(db), run],
    );
    db.run("update approval set status = 'pending' where run = ? and status = 'orphaned'", run);
  }
}
