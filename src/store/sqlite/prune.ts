/** Removes sessions: one that somebody named, or the oldest that the limits do not allow. */
import { GlassboxError } from '../../event/index.js';
import type { PruneQuery } from '../query.js';
import type { PrunePlan } from '../shell/engine.js';
import { planFrom } from '../table/prune-plan.js';
import type { Connection } from './connection.js';
import { deleteRun } from './run.js';
import { findSession } from './session.js';

export function deleteSession(db: Connection, id: string): void {
  const no = findSession(db, id);
  if (no === undefined) throw new GlassboxError('not-found', `There is no session "${id}".`);
  if (isRunning(db, no))
    throw new GlassboxError('conflict', `The session "${id}" is running. End it first: glassbox stop ${id}`);
  remove(db, no);
}

export function planPrune(db: Connection, { maxAgeMs, maxBytes }: PruneQuery, now: number): PrunePlan {
  const sessions = db.all(
    `select session.no, session.id, session.pinned, max(run.updated_at) as updated_at, sum(run.bytes) as bytes,
       max(run.ended_at is null and run.heartbeat_at is not null) as is_running
     from run join session on session.no = run.session group by session.no order by 4, 1`,
  );
  return planFrom(sessions, { maxAgeMs, maxBytes, now, used: usedBytes(db) });
}

/** False when it is running again, or was pinned meanwhile. */
export function removeOld(db: Connection, session: number): boolean {
  if (isRunning(db, session) || db.get('select 1 from session where no = ? and pinned is not null', session))
    return false;
  remove(db, session);
  return true;
}

/** Gives space back, some at a time: the search index only marks what was deleted until it is merged. True when there is more. */
export function compact(db: Connection): boolean {
  const before = Number(db.get('select total_changes() as count')?.count);
  db.run("insert into search (search, rank) values ('merge', -500)");
  const after = Number(db.get('select total_changes() as count')?.count);
  if (after - before >= 2) return true;
  db.exec('pragma incremental_vacuum');
  db.exec('pragma wal_checkpoint(passive)');
  return false;
}

/** Pages in use; those that deleted sessions left free do not count. */
export function usedBytes(db: Connection): number {
  const value = (name: string) => Number(Object.values(db.get(`pragma ${name}`) ?? {})[0]);
  return (value('page_count') - value('freelist_count')) * value('page_size');
}

function remove(db: Connection, no: number): void {
  for (const run of db.all('select no from run where session = ?', no)) deleteRun(db, Number(run.no));
  db.run('delete from session where no = ? or merged_into = ?', no, no);
}

function isRunning(db: Connection, no: number): boolean {
  return Boolean(db.get('select 1 from run where session = ? and ended_at is null and heartbeat_at is not null', no));
}
