/** Approvals as rows: anybody may answer, one answer wins, the owner of the run reads it. */
import type { EventOf } from '../../event/index.js';
import type { ApprovalAnswer, ApprovalRecord, Decided, Reception } from '../approval.js';
import type { Connection } from './connection.js';
import type { Row } from './driver.js';
import { findRun, touch } from './run.js';

/** One answer of one person. */
export interface Claim {
  runId: string;
  id: string;
  claimId: string;
}

export function pendingApprovals(db: Connection, runId: string | undefined): ApprovalRecord[] {
  const rows = db.all(
    `select run.id as run_id, session.id as session_id, event.body
     from approval join run on run.no = approval.run join session on session.no = run.session
       join event on event.id = (approval.run << 32) + approval.seq
     where approval.status = 'pending' and (?1 is null or run.id = ?1)
     order by event.body ->> 'at', approval.run, approval.seq`,
    runId ?? null,
  );
  return rows.map((row) => ({
    runId: String(row.run_id),
    session: String(row.session_id),
    request: JSON.parse(String(row.body)) as EventOf<'approval-request'>,
  }));
}

/**
 * An answer goes through four hands: whoever gives it claims the row, the owner of the run takes it, the agent hears it or not, the
 * owner acknowledges. A claim that nobody took can be withdrawn, so nothing is told to the agent that its giver believes lost.
 */
export function claim(
  db: Connection,
  { runId, id, claimId }: Claim,
  answer: ApprovalAnswer,
): 'claimed' | 'late' | 'unknown' {
  const run = findRun(db, runId)?.no;
  if (typeof run !== 'number') return 'unknown';
  const won = db.run(
    `update approval set status = 'decided', answer = ?, claim = ?, reception = null
     where run = ? and id = ? and status = 'pending'`,
    ...[JSON.stringify(answer), claimId, run, id],
  );
  if (won > 0) {
    touch(db, run);
    return 'claimed';
  }
  return db.get('select 1 from approval where run = ? and id = ?', run, id) ? 'late' : 'unknown';
}

/** Undefined while the owner has not said. */
export function receptionOf(db: Connection, { runId, id, claimId }: Claim): Reception | undefined {
  const row = db.get(
    `select status, reception from approval
     where run = (select no from run where id = ?) and id = ? and claim = ?`,
    ...[runId, id, claimId],
  );
  if (typeof row?.reception === 'string') return JSON.parse(row.reception) as Reception;
  return row?.status === 'decided' || row?.status === 'taken' ? undefined : 'late';
}

/** False when the owner has it already. */
export function withdrawClaim(db: Connection, { claimId }: Claim): boolean {
  return (
    db.run("update approval set status = 'pending', claim = null where claim = ? and status = 'decided'", claimId) > 0
  );
}

/** For the owner: answers that wait for it, each once. Looked for often and seldom found, so a look alone writes nothing. */
export function takeDecided(db: Connection, runId: string): Decided[] {
  const rows = db.all(
    `select approval.run, approval.id, approval.answer from approval join run on run.no = approval.run
     where run.id = ? and approval.status = 'decided' order by approval.seq`,
    runId,
  );
  if (rows.length === 0) return [];
  return db
    .transaction(() => rows.filter(take))
    .map((row) => ({
      id: String(row.id),
      answer: JSON.parse(String(row.answer)) as ApprovalAnswer,
    }));

  function take({ run, id, answer }: Row): boolean {
    const taken = "update approval set status = 'taken' where run = ? and id = ? and answer = ? and status = 'decided'";
    return db.run(taken, run ?? 0, id ?? '', answer ?? '') > 0;
  }
}

/** One that made no sense leaves the question open. */
export function acknowledge(db: Connection, runId: string, id: string, reception: Reception): void {
  const run = Number(findRun(db, runId)?.no);
  const status = typeof reception === 'object' ? 'pending' : 'taken';
  db.run(
    "update approval set status = ?, reception = ? where run = ? and id = ? and status = 'taken'",
    ...[status, JSON.stringify(reception), run, id],
  );
  touch(db, run);
}
