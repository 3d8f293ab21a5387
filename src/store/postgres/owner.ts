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
import { settleAll } from './instruction.js';
import type { Transaction } from './transaction.js';

/** To be called within transactions that have locked the run. */
export interface Ownership {
  /**
   * Makes the run the holder's own and gives its epoch, the `held` one if it still holds. What has ended by itself is nobody's any more,
   * unless it is to be opened again. Throws when another owner lives.
   */
  claim(
    tx: Transaction,
    run: Row,
    claim: { held?: number | undefined; reopen?: boolean | undefined; by: Holder },
  ): Promise<number | undefined>;
  /** Throws `conflict` while a run of this session goes on that somebody started, and does not only watch. Its conversation has to be locked. */
  requireIdle(tx: Transaction, session: number): Promise<void>;
  /** The run is nobody's from now on, and earlier owners write no more. Throws when another owner lives. */
  vacate(tx: Transaction, run: Row, claim: { held?: number | undefined; by: Holder }): Promise<void>;
  /** The same for whoever brings a run from elsewhere: false, and nothing is changed, while anybody owns it. */
  release(tx: Transaction, run: Row): Promise<boolean>;
  /** With each run that is written to: throws when the epoch is not, or no longer, the one that holds. */
  admit(tx: Transaction, run: Row, epoch: number | undefined): Promise<void>;
  /** These live. Gives those of which the claim no longer holds. */
  beat(tx: Transaction, held: readonly HeldRun[]): Promise<string[]>;
  /** Marks the runs whose owner is gone as interrupted. */
  reap(tx: Transaction): Promise<void>;
}

/** `silence`: how long ago the last beat was, so that it is judged by one clock. */
const OPEN =
  'select *, now_ms() - heartbeat_at as silence from run where ended_at is null and heartbeat_at is not null';

export function createOwnership(self: Self): Ownership {
  return {
    async claim(tx, run, { held, reopen = false, by }) {
      const [no, epoch] = [Number(run.no), Number(run.epoch)];
      const hasEnded = run.ended_at !== null;
      if (isHeld(run, held, by) && !(hasEnded && reopen)) return epoch;
      if (hasEnded && !isInterrupted(run) && !reopen) return undefined;
      if (isOpen(run)) await bury(tx, run);
      const next = Math.abs(epoch) + 1;
      await tx.run(
        `update run set epoch = $1, host = $2, pid = $3, holder = $4, heartbeat_at = now_ms(), ended_at = null, outcome = null,
           source_state = null where no = $5`,
        ...[next, by.host, by.pid, by.id, no],
      );
      tx.noteChange(no);
      return next;
    },
    async requireIdle(tx, session) {
      const open = await tx.all(
        `select run.*, session.id as session_id from run join session on session.no = run.session
         where run.session = $1 and ended_at is null and heartbeat_at is not null and terms is not null`,
        session,
      );
      for (const run of open)
        if (!(await isDead(tx, run)))
          throw new GlassboxError('conflict', atWorkText(run, String(run.session_id), self.host));
    },
    async vacate(tx, run, { held, by }) {
      if (isOpen(run) && !isHeld(run, held, by)) await bury(tx, run);
      await vacate(tx, run);
    },
    async release(tx, run) {
      if (isOpen(run) && !(await isDead(tx, run))) return false;
      await vacate(tx, run);
      return true;
    },
    async admit(tx, run, epoch) {
      const holds = Number(run.epoch);
      // An imported run has no owner, and whoever reads the same source writes the same.
      if (holds <= 0 && epoch === undefined) return;
      if (holds !== epoch) throw new GlassboxError('conflict', takenText(run));
      if (isInterrupted(run)) await revive(tx, Number(run.no));
    },
    async beat(tx, held) {
      const epochs = new Map(held.map(({ runId, epoch }) => [runId, epoch]));
      const ids = [...epochs.keys()];
      const rows = await tx.all(
        `update run set heartbeat_at = now_ms() from unnest($1::text[], $2::integer[]) as held (id, epoch)
         where run.id = held.id and run.epoch = held.epoch and (ended_at is null or outcome = 'interrupted') returning run.no, run.id, run.outcome`,
        ...[ids, [...epochs.values()]],
      );
      for (const row of rows.filter(isInterrupted)) await revive(tx, Number(row.no));
      const live = new Set(rows.map((row) => String(row.id)));
      return ids.filter((id) => !live.has(id));
    },
    async reap(tx) {
      const silent = await tx.all(`${OPEN} and heartbeat_at < now_ms() - ${SILENT_MS} for update skip locked`);
      const near = await tx.all(`${OPEN} and host = $1`, self.host);
      const dead = near.filter((run) => !self.isAlive(Number(run.pid)));
      for (const run of [...silent, ...dead]) await endAbandoned(tx, run);
    },
  };

  async function isDead(tx: Transaction, run: Row): Promise<boolean> {
    const row = await tx.get('select now_ms() - $1::bigint as silence', Number(run.heartbeat_at));
    return Number(row?.silence) > SILENT_MS || (run.host === self.host && !self.isAlive(Number(run.pid)));
  }

  /** Throws when it lives. */
  async function bury(tx: Transaction, run: Row): Promise<void> {
    if (!(await isDead(tx, run))) throw new GlassboxError('conflict', takenText(run));
    await endAbandoned(tx, run);
  }
}

async function vacate(tx: Transaction, { no, epoch }: Row): Promise<void> {
  // It goes on counting below zero, so that no later claim gets the epoch of an earlier one.
  const ended = -Math.abs(Number(epoch));
  await tx.run('update run set epoch = $1, heartbeat_at = null, holder = null where no = $2', ended, Number(no));
}

function isHeld({ epoch, holder }: Row, held: number | undefined, by: Holder): boolean {
  return Number(epoch) > 0 && (epoch === held || holder === by.id);
}

async function endAbandoned(tx: Transaction, { no, heartbeat_at: beatAt }: Row): Promise<void> {
  const changed = await tx.run(
    `update run set ended_at = heartbeat_at, outcome = 'interrupted' where no = $1 and ended_at is null and heartbeat_at = $2`,
    ...[Number(no), Number(beatAt)],
  );
  if (changed === 0) return;
  tx.noteChange(Number(no));
  await settleAll(tx, Number(no));
  await tx.run("update approval set status = 'orphaned' where run = $1 and status = 'pending'", Number(no));
}

async function revive(tx: Transaction, run: number): Promise<void> {
  await tx.run('update run set ended_at = null, outcome = null, heartbeat_at = now_ms() where no = $1', run);
  tx.noteChange(run);
  await tx.run("update approval set status = 'pending' where run = $1 and status = 'orphaned'", run);
}
