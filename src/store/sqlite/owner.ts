/**
 * The owners of runs: who may write, their heartbeats, and what becomes of a run whose owner is gone.
 *
 * Each claim of a run gives it the next epoch. Whoever writes says the epoch of its claim, so that an owner which slept, and whose run
 * another took over meanwhile, changes nothing any more. All times are those of the database: clocks of hosts differ.
 */
import { GlassboxError } from '../../event/index.js';
import { noteChange } from './change.js';
import type { Connection } from './connection.js';
import type { Row } from './driver.js';
import { settleAll } from './instruction.js';

/** The process that uses the store, as others see it. */
export interface Self {
  pid: number;
  host: string;
  /** Whether a process of this host lives. */
  isAlive(pid: number): boolean;
}

export const HEARTBEAT_MS = 5_000;
/** Three missed beats: the owner is dead or asleep. */
const SILENT_MS = 3 * HEARTBEAT_MS;

export interface Ownership {
  /**
   * Makes the run this process's own and gives its epoch, the `held` one if it still holds. What has ended by itself is nobody's
   * any more, unless it is to be opened again. Throws when another owner lives.
   */
  claim(run: Row, held: number | undefined, reopen?: boolean): number | undefined;
  /** The run is nobody's from now on, and earlier owners write no more. Throws when another owner lives. */
  vacate(run: Row, held: number | undefined): void;
  /** The same for whoever brings a run from elsewhere: false, and nothing is changed, while anybody owns it, also this process. */
  release(run: Row): boolean;
  /** To be called with each run that is written to: throws when the epoch is not, or no longer, the one that holds. */
  admit(run: Row, epoch: number | undefined): void;
  /** All runs of this process live. A run that others took for dead, because this machine slept, lives again. */
  beat(): void;
  /** Marks the runs whose owner is gone as interrupted. */
  reap(): void;
}

export function createOwnership(db: Connection, self: Self): Ownership {
  /** The epochs of its runs, by number. */
  const own = new Map<number, number>();

  return {
    claim(run, held, reopen = false) {
      const [no, epoch] = [Number(run.no), Number(run.epoch)];
      const hasEnded = run.ended_at !== null;
      if (isHeld(run, held) && !(hasEnded && reopen)) {
        own.set(no, epoch);
        return epoch;
      }
      if (hasEnded && !isInterrupted(run) && !reopen) return undefined;
      if (isOpen(run)) {
        if (!isDead(run)) throw new GlassboxError('conflict', takenText(run));
        endAbandoned(run);
      }
      const next = Math.abs(epoch) + 1;
      db.run(
        `update run set epoch = ?, host = ?, pid = ?, heartbeat_at = ?, ended_at = null, outcome = null, source_state = null where no = ?`,
        ...[next, self.host, self.pid, db.now(), no],
      );
      noteChange(db, no);
      own.set(no, next);
      return next;
    },
    vacate(run, held) {
      if (isOpen(run) && !isHeld(run, held) && !isDead(run)) throw new GlassboxError('conflict', takenText(run));
      vacate(run);
    },
    release(run) {
      if (isOpen(run) && !isDead(run)) return false;
      vacate(run);
      return true;
    },
    admit(run, epoch) {
      const [no, holds] = [Number(run.no), Number(run.epoch)];
      // An imported run has no owner, and whoever reads the same source writes the same.
      if (holds <= 0 && epoch === undefined) return;
      if (holds !== epoch) {
        own.delete(no);
        throw new GlassboxError('conflict', takenText(run));
      }
      own.set(no, epoch);
      if (run.outcome === 'interrupted') revive(no);
    },
    beat() {
      if (own.size === 0) return;
      db.transaction(() => {
        const runs = db
          .all('select * from run where no in (select value from json_each(?))', JSON.stringify([...own.keys()]))
          .filter((run) => own.get(Number(run.no)) === run.epoch && (run.ended_at === null || isInterrupted(run)));
        own.clear();
        for (const run of runs) {
          const no = Number(run.no);
          own.set(no, Number(run.epoch));
          if (isInterrupted(run)) revive(no);
          else db.run('update run set heartbeat_at = ? where no = ?', db.now(), no);
        }
      });
    },
    reap() {
      // Somebody who may write will say so.
      if (db.readOnly) return;
      const open = db.all('select * from run where ended_at is null and heartbeat_at is not null');
      const dead = open.filter(isDead);
      if (dead.length > 0) db.transaction(() => dead.forEach(endAbandoned));
    },
  };

  function vacate({ no, epoch }: Row): void {
    own.delete(Number(no));
    // It goes on counting below zero, so that no later claim gets the epoch of an earlier one.
    db.run('update run set epoch = ?, heartbeat_at = null where no = ?', -Math.abs(Number(epoch)), Number(no));
  }

  function isHeld({ no, epoch }: Row, held: number | undefined): boolean {
    return Number(epoch) > 0 && (epoch === held || epoch === own.get(Number(no)));
  }

  function isDead({ host, pid, heartbeat_at: beatAt }: Row): boolean {
    if (Number(beatAt) < db.now() - SILENT_MS) return true;
    return host === self.host && !self.isAlive(Number(pid));
  }

  function endAbandoned({ no, heartbeat_at: beatAt }: Row): void {
    const changed = db.run(
      `update run set ended_at = heartbeat_at, outcome = 'interrupted'
       where no = ? and ended_at is null and heartbeat_at = ?`,
      ...[Number(no), Number(beatAt)],
    );
    if (changed === 0) return;
    noteChange(db, Number(no));
    settleAll(db, Number(no));
    db.run("update approval set status = 'orphaned' where run = ? and status = 'pending'", Number(no));
  }

  function revive(run: number): void {
    db.run('update run set ended_at = null, outcome = null, heartbeat_at = ? where no = ?', db.now(), run);
    noteChange(db, run);
    db.run("update approval set status = 'pending' where run = ? and status = 'orphaned'", run);
  }
}

function isOpen(run: Row): boolean {
  return run.ended_at === null && run.heartbeat_at !== null;
}

function isInterrupted(run: Row): boolean {
  return run.outcome === 'interrupted';
}

function takenText(run: Row): string {
  const { id, pid } = run;
  if (!isOpen(run)) return `The run "${id}" has ended: nothing can be added to it.`;
  return `Another process (${pid}) keeps the run "${id}" now, so that this one can no longer write to it.`;
}
