/** Approvals as rows: asked, answered, settled. */
import type { AgentEvent, EventOf } from '../../event/index.js';
import type { ApprovalRecord, DecisionQuery, DecisionRecord } from '../approval.js';
import type { Row } from '../table/row.js';
import type { Connection } from './connection.js';
import { eventOf } from './event-row.js';
import { settleAnswers, settleWaiting } from './instruction.js';

export function pendingApprovals(db: Connection, runId: string | undefined): ApprovalRecord[] {
  const rows = db.all(
    `select run.id as run_id, session.id as session_id, approval.id, approval.seq, run.agent, run.updated_at, event.body, event.sum
     from approval join run on run.no = approval.run join session on session.no = run.session
       join event on event.id = (approval.run << 32) + approval.seq
     where approval.status = 'pending' and (?1 is null or run.id = ?1)
     order by approval.run, approval.seq`,
    runId ?? null,
  );
  return rows
    .map((row) => ({ runId: String(row.run_id), session: String(row.session_id), request: requestOf(row) }))
    .sort((one, other) => one.request.at - other.request.at);
}

const MOST_DECISIONS = 200;

export function listDecisions(db: Connection, { since = 0, limit = MOST_DECISIONS }: DecisionQuery): DecisionRecord[] {
  const rows = db.all(
    `select run.id as run_id, session.id as session_id, approval.id, approval.seq, run.agent, run.updated_at,
       asked.body, asked.sum, told.body as told_body, told.sum as told_sum
     from approval join run on run.no = approval.run join session on session.no = run.session
       join event asked on asked.id = (approval.run << 32) + approval.seq
       join event told on told.id = (approval.run << 32) + approval.settled
     where approval.status = 'resolved' and approval.settled_at >= ?
     order by approval.settled_at desc, approval.settled desc limit ?`,
    ...[since, limit],
  );
  return rows.flatMap((row) => {
    const resolution = eventOf({ body: row.told_body ?? null, sum: row.told_sum ?? null });
    // What was decided can no longer be read.
    if (resolution?.type !== 'approval-resolve') return [];
    return [{ runId: String(row.run_id), session: String(row.session_id), request: requestOf(row), resolution }];
  });
}

function requestOf(row: Row): EventOf<'approval-request'> {
  const event = eventOf(row);
  return event?.type === 'approval-request' ? event : damagedRequest(row);
}

/** It can be refused. To allow it, it has to be read, and that is possible only where the agent runs. */
function damagedRequest(row: Row): EventOf<'approval-request'> {
  return {
    type: 'approval-request',
    id: String(row.id),
    kind: 'other',
    title: 'This question is damaged in the store. Answer it where the agent runs.',
    cuts: [{ path: '/input', bytes: String(row.body).length }],
    ...{ seq: Number(row.seq), at: Number(row.updated_at), runId: String(row.run_id), agent: String(row.agent) },
    ...{ turn: 0, source: 'synthetic' },
  };
}

/** What an event of a run means for its questions, and for what is on its way to it. */
export function followEvent(db: Connection, run: number, event: AgentEvent): void {
  if (event.type === 'approval-request') {
    db.run(
      "insert or ignore into approval (run, id, seq, status) values (?, ?, ?, 'pending')",
      ...[run, event.id, event.seq],
    );
  } else if (event.type === 'approval-resolve' || event.type === 'approval-withdraw') {
    settleAnswers(db, run, event.id);
    const status = event.type === 'approval-resolve' ? 'resolved' : 'withdrawn';
    db.run(
      'update approval set status = ?, settled = ?, settled_at = ? where run = ? and id = ?',
      ...[status, event.seq, event.at, run, event.id],
    );
  } else if (event.type === 'run-end') {
    settleWaiting(db, run);
    db.run("update approval set status = 'withdrawn' where run = ? and status in ('pending', 'answered')", run);
  }
}
