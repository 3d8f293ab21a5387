/** Records of sessions and runs, as the contract shows them, from the rows of the tables. */
import { type Balance, type CostOrigin, defined, GlassboxError, type Terms } from '../../event/index.js';
import type { Figure } from '../../ledger/index.js';
import type { Outcome, RunRecord, RunState, SessionRecord } from '../record.js';
import { sessionRecord } from '../session-record.js';
import type { Connection } from './connection.js';
import type { Row, Value } from './driver.js';
import { parsed } from './event-row.js';
import { EMPTY_RUN } from './filter.js';
import { number, text, usageOf } from './row.js';
import { findRun, latestRunOf } from './run-row.js';
import { sourceOf } from './whole-run.js';

/** Sessions by number, in the given order. */
export function sessionsByNo(db: Connection, numbers: readonly number[]): SessionRecord[] {
  const rows = db.all(
    `select run.*, session.id as session_id, session.name, session.pinned, source.id as forked_id, before.id as before_id,
       (select count(*) from approval where approval.run = run.no and approval.status = 'pending') as waiting
     from run join session on session.no = run.session
       left join session source on source.no = session.forked_from
       left join run before on before.no = run.resumed_from
     where run.session in (select value from json_each(?)) order by run.started_at, run.no`,
    JSON.stringify(numbers),
  );
  const bySession = new Map<number, Row[]>();
  for (const row of rows) {
    const own = bySession.get(Number(row.session));
    if (own) own.push(row);
    else bySession.set(Number(row.session), [row]);
  }
  return numbers.flatMap((no) => sessionOf(bySession.get(no) ?? []) ?? []);
}

/** The number of the session that a person means. */
export function findSession(db: Connection, ref: string): number | undefined {
  if (ref === 'latest') {
    return number(
      db.get(`select session from run where not ${EMPTY_RUN} order by updated_at desc, no desc limit 1`)?.session,
    );
  }
  const run = findRun(db, ref) ?? latestRunOf(db, undefined, ref);
  return number(run?.session) ?? byShortId(db, ref.toLowerCase());
}

function byShortId(db: Connection, id: string): number | undefined {
  const exact = db.get('select coalesce(merged_into, no) as no from session where id = ?', id);
  if (exact || !id) return number(exact?.no);
  // `{` sorts behind all letters and digits.
  const begun = db.all(
    'select distinct coalesce(merged_into, no) as no from session where id > ? and id < ? limit 2',
    ...[id, `${id}{`],
  );
  if (begun.length > 1)
    throw new GlassboxError('conflict', `Several sessions begin with "${id}". Type more of the id.`);
  return number(begun[0]?.no);
}

function sessionOf(rows: readonly Row[]): SessionRecord | undefined {
  const runs = rows.map((row) => ({
    record: runOf(row),
    title: text(row.title),
    opening: text(row.opening),
    waiting: Number(row.waiting),
    hasSpent: row.origin !== null,
  }));
  const [first] = rows;
  return sessionRecord(runs, {
    forkedFrom: text(first?.forked_id),
    name: text(first?.name),
    pinned: number(first?.pinned) === 1,
  });
}

function runOf(row: Row): RunRecord {
  const state = stateOf(row);
  const source = sourceOf(row);
  const [balance, terms] = [jsonOf<Balance>(row.balance), jsonOf<Terms>(row.terms)];
  return defined<RunRecord>({
    runId: String(row.id),
    session: String(row.session_id),
    agent: String(row.agent),
    agentSessionId: text(row.agent_session),
    agentVersion: text(row.agent_version),
    model: text(row.model),
    cwd: text(row.cwd),
    prompt: text(row.prompt),
    state,
    outcome: state === 'ended' ? (text(row.outcome) as Outcome | undefined) : undefined,
    error: text(row.error),
    startedAt: Number(row.started_at),
    updatedAt: Number(row.updated_at),
    endedAt: number(row.ended_at),
    owner:
      row.heartbeat_at === null
        ? undefined
        : {
            pid: Number(row.pid),
            host: String(row.host),
            heartbeatAt: Number(row.heartbeat_at),
            epoch: Number(row.epoch),
          },
    piped: row.piped === null ? undefined : true,
    terms: terms.value,
    resumedFrom: text(row.before_id),
    sourceState: source.onlyFigures ? undefined : source.sourceState,
    onlyFigures: source.onlyFigures,
    lastSeq: Number(row.last_seq),
    bytes: Number(row.bytes),
    spent: figureOf(row),
    balance: balance.value,
    usage: usageOf(row),
    turns: Number(row.turns),
    toolCalls: Number(row.tool_calls),
    damaged: balance.isDamaged || terms.isDamaged ? true : undefined,
  });
}

function jsonOf<Kept>(column: Value | undefined): { value?: Kept; isDamaged: boolean } {
  const json = text(column);
  const value = json === undefined ? undefined : parsed<Kept>(json);
  return { ...(value !== undefined && { value }), isDamaged: json !== undefined && value === undefined };
}

function figureOf({ usd, origin }: Row): Figure | undefined {
  return usd === null ? undefined : { usd: Number(usd), scope: 'process', origin: origin as CostOrigin };
}

/** Without an owner nobody can add to a run: it has ended. The same condition as in `filter.ts`. */
function stateOf(row: Row): RunState {
  if (row.ended_at !== null || row.heartbeat_at === null) return 'ended';
  return Number(row.waiting) > 0 ? 'waiting' : 'running';
}
