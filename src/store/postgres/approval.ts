/** Approvals as rows: asked, answered, settled. */
import type { AgentEvent, EventOf } from '../../event/index.js';
import type { ApprovalRecord, DecisionQuery, DecisionRecord } from '../approval.js';
import type { Asker } from './connection.js';
import { settleAnswers, settleWaiting } from './instruction.js';
import type { Transaction } from './transaction.js';

export async function pendingApprovals(db: Asker, runId: string | undefined): Promise<ApprovalRecord[]> {
  const rows = await db.all(
    `select run.id as run_id, session.id as session_id, event.body
     from approval join run on run.no = approval.run join session on session.no = run.session
       join event on event.run = approval.run and event.seq = approval.seq
     where approval.status = 'pending' and ($1::text is null or run.id = $1)
     order by approval.run, approval.seq`,
    runId ?? null,
  );
  return rows
    .map((row) => ({
      runId: String(row.run_id),
      session: String(row.session_id),
      request: JSON.parse(String(row.body)) as EventOf<'approval-request'>,
    }))
    .sort((one, other) => one.request.at - other.request.at);
}

const MOST_DECISIONS = 200;

export async function listDecisions(
  db: Asker,
  { since = 0, limit = MOST_DECISIONS }: DecisionQuery,
): Promise<DecisionRecord[]> {
  const rows = await db.all(
    `select run.id as run_id, session.id as session_id, asked.body, told.body as told_body
     from approval join run on run.no = approval.run join session on session.no = run.session
       join event asked on asked.run = approval.run and asked.seq = approval.seq
       join event told on told.run = approval.run and told.seq = approval.settled
     where approval.status = 'resolved' and approval.settled_at >= $1
     order by approval.settled_at desc, approval.settled desc limit $2`,
    ...[since, limit],
  );
  return rows.map((row) => ({
    runId: String(row.run_id),
    session: String(row.session_id),
    request: JSON.parse(String(row.body)) as EventOf<'approval-request'>,
    resolution: JSON.parse(String(row.told_body)) as EventOf<'approval-resolve'>,
  }));
}

/** What an event of a run means for its questions, and for what is on its way to it. */
export async function followEvent(tx: Transaction, run: number, event: AgentEvent): Promise<void> {
  if (event.type === 'approval-request') {
    await tx.run(
      "insert into approval (run, id, seq, status) values ($1, $2, $3, 'pending') on conflict do nothing",
      ...[run, event.id, event.seq],
    );
  } else if (event.type === 'approval-resolve' || event.type === 'approval-withdraw') {
    await settleAnswers(tx, run, event.id);
    const status = event.type === 'approval-resolve' ? 'resolved' : 'withdrawn';
    await tx.run(
      'update approval set status = $1, settled = $2, settled_at = $3 where run = $4 and id = $5',
      ...[status, event.seq, event.at, run, event.id],
    );
  } else if (event.type === 'run-end') {
    await settleWaiting(tx, run);
    await tx.run("update approval set status = 'withdrawn' where run = $1 and status in ('pending', 'answered')", run);
  }
}
