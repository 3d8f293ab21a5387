/**
 * The owners of runs: who may write, their heartbeats, and what becomes of a run whose owner is gone.
 *
 * Each claim of a run gives it the next epoch. Whoever writes says the epoch of its claim, so that an owner which slept, and whose run
 * another took over meanwhile, changes nothing any more. All times are those of the database: clocks of hosts differ.
 */
import { GlassboxError } from '../../event/index.js';
import type { HeldRun, Holder } from '../shell/engine.js';
import { atWorkText, isInterrupted, isOpen, type Self, SILENT_MS, takenText } from '../table/owner-row.js';
import type { Row } from '../table/row.js';
import { noteChange } from './change.js';
import type { Connection } from './connection.js';
import { settleAll } from './instruction.js';
import { findRun } from './run-row.js';

export interface Ownership {
  /**
   * Makes the run this process's own, or that of whoever claims it through this one, and gives its epoch, the `held` one if it still
   * holds. What has ended by itself is nobody's any more, unless it is to be opened again. Throws when another owner lives.
   */
  claim(
    run: Row,
    held: number | undefined,
    options?: { reopen?: boolean | undefined; by?: Holder | undefined },
  ): number | undefined;
  /** Throws `conflict` while a run of this session goes on that somebody started, and does not only watch. */
  requireIdle(session: number): void;
  /** The run is nobody's from now on, and earlier owners write no more. Throws when another owner lives. */
  vacate(run: Row, held: number | undefined, by?: Holder): void;
  /** The same for whoever brings a run from elsewhere: false, and nothing is changed, while anybody owns it, also this process. */
  release(run: Row): boolean;
  /** To be called with each run that is written to: throws when the epoch is not, or no longer, the one that holds. */
  admit(run: Row, epoch: number | undefined, by?: Holder): void;
  /** All runs of this process live. A run that others took for dead, because this machine slept, lives again. */
  beat(): void;
  /** The same for runs of others, who say so themselves. Gives those of which the claim no longer holds. */
  beatFor(held: readonly HeldRun[]): string[];
  /** Marks the runs whose owner is gone as interrupted. */
  reap(): void;
}

export function createOwnership(db: Connection, self: Self): Ownership {
  /** The epochs of its runs, by number; and of those that others claimed through it. */
  const own = new Map<number, number>();
  const others = new Map<string, number>();

  return {
    claim(run, held, { reopen = false, by } = {}) {
      const [no, epoch] = [Number(run.no), Number(run.epoch)];
      const hasEnded = run.ended_at !== null;
      if (isHeld(run, held, by) && !(hasEnded && reopen)) {
        hold(no, epoch, by);
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
        ...[next, by?.host ?? self.host, by?.pid ?? self.pid, db.now(), no],
      );
      noteChange(db, no);
      hold(no, next, by);
      return next;
    },
    requireIdle(session) {
      const open = db.all(
        `select run.*, session.id as session_id from run join session on session.no = run.session
         where run.session = ? and ended_at is null and heartbeat_at is not null and terms is not null`,
        session,
      );
      const other = open.find((run) => !isDead(run));
      if (other) throw new GlassboxError('conflict', atWorkText(other, String(other.session_id), self.host));
    },
    vacate(run, held, by) {
      if (isOpen(run) && !isHeld(run, held, by) && !isDead(run)) throw new GlassboxError('conflict', takenText(run));
      vacate(run);
    },
    release(run) {
      if (isOpen(run) && !isDead(run)) return false;
      vacate(run);
      return true;
    },
    admit(run, epoch, by) {
      const [no, holds] = [Number(run.no), Number(run.epoch)];
      // An imported run has no owner, and whoever reads the same source writes the same.
      if (holds <= 0 && epoch === undefined) return;
      if (holds !== epoch) {
        own.delete(no);
        throw new GlassboxError('conflict', takenText(run));
      }
      hold(no, epoch, by);
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
    beatFor(held) {
      return db.transaction(() =>
        held.flatMap(({ runId, epoch }) => {
          const run = findRun(db, runId);
          if (!run || run.epoch !== epoch || (run.ended_at !== null && !isInterrupted(run))) return [runId];
          if (isInterrupted(run)) revive(Number(run.no));
          else db.run('update run set heartbeat_at = ? where no = ?', db.now(), Number(run.no));
          return [];
        }),
      );
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

  function hold(no: number, epoch: number, by: Holder | undefined): void {
    if (by) others.set(keyOf(no, by), epoch);
    else own.set(no, epoch);
  }

  function isHeld({ no, epoch }: Row, held: number | undefined, by: Holder | undefined): boolean {
    const known = by ? others.get(keyOf(Number(no), by)) : own.get(Number(no));
    return Number(epoch) > 0 && (epoch === held || epoch === known);
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

const keyOf = (no: number, { id }: Holder): string => `${no} ${id}`;
