/** Removes sessions: one that somebody named, or the oldest that the limits do not allow. */
import { GlassboxError } from '../../event/index.js';
import type { PruneQuery } from '../query.js';
import type { PrunePlan } from '../shell/engine.js';
import { planFrom } from '../table/prune-plan.js';
import type { Asker } from './connection.js';
import { deleteRun } from './run.js';
import { findSession } from './session.js';
import type { Transaction } from './transaction.js';

export async function deleteSession(tx: Transaction, id: string): Promise<void> {
  const no = await findSession(tx, id);
  if (no === undefined) throw new GlassboxError('not-found', `There is no session "${id}".`);
  if (await isRunning(tx, no))
    throw new GlassboxError('conflict', `The session "${id}" is running. End it first: glassbox stop ${id}`);
  await remove(tx, no);
}

export async function planPrune(db: Asker, { maxAgeMs, maxBytes }: PruneQuery): Promise<PrunePlan> {
  const sessions = await db.all(
    `select session.no, session.id, session.pinned, max(run.updated_at) as updated_at, sum(run.bytes) as bytes,
       max(case when run.ended_at is null and run.heartbeat_at is not null then 1 else 0 end) as is_running
     from run join session on session.no = run.session group by session.no order by 4, 1`,
  );
  const now = Number((await db.get('select now_ms() as now'))?.now);
  return planFrom(sessions, { maxAgeMs, maxBytes, now, used: await usedBytes(db) });
}

/** False when it is running again, or was pinned meanwhile. */
export async function removeOld(tx: Transaction, session: number): Promise<boolean> {
  const pinned = await tx.get('select 1 as one from session where no = $1 and pinned is not null', session);
  if (pinned || (await isRunning(tx, session))) return false;
  await remove(tx, session);
  return true;
}

/**
 * What the kept events take: their text, and about as much again for keys and words. The files shrink only when a month goes whole, or the
 * database tidies up, so their size says nothing about what was removed.
 */
export async function usedBytes(db: Asker): Promise<number> {
  return 2 * Number((await db.get('select coalesce(sum(bytes), 0) as bytes from run'))?.bytes ?? 0);
}

async function remove(tx: Transaction, no: number): Promise<void> {
  for (const run of await tx.all('select no from run where session = $1 for update', no))
    await deleteRun(tx, Number(run.no));
  await tx.run('delete from session where no = $1 or merged_into = $1', no);
}

async function isRunning(db: Asker, no: number): Promise<boolean> {
  const alive = 'ended_at is null and heartbeat_at is not null';
  return (await db.get(`select 1 as one from run where session = $1 and ${alive} limit 1`, no)) !== undefined;
}
