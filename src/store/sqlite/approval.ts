/** Approvals as rows: anybody may answer, one answer wins, the owner of the run reads it. */
import type { EventOf } from '../../event/index.js';
import type { ApprovalAnswer, ApprovalRecord, Decided, DecisionResult } from '../approval.js';
import type { Connection } from './connection.js';
import { findRun, touch } from './run.js';

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

export function decide(db: Connection, runId: string, id: string, answer: ApprovalAnswer): DecisionResult {
  const run = findRun(db, runId)?.no;
  if (typeof run !== 'number') return 'unknown';
  const won = db.run(
    "update approval set status = 'decided', answer = ? where run = ? and id = ? and status = 'pending'",
    ...[JSON.stringify(answer), run, id],
  );
  if (won > 0) {
    touch(db, run);
    return 'accepted';
  }
  return db.get('select 1 from approval where run = ? and id = ?', run, id) ? 'late' : 'unknown';
}

export function decidedApprovals(db: Connection, runId: string): Decided[] {
  const rows = db.all(
    `select approval.id, approval.answer from approval join run on run.no = approval.run
     where run.id = ? and approval.status = 'decided' order by approval.seq`,
    runId,
  );
  return rows.map((row) => ({ id: String(row.id), answer: JSON.parse(String(row.answer)) as ApprovalAnswer }));
}
