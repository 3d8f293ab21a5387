/** Records of sessions and runs, as the contract shows them, from the rows of the tables. */
import { type CostOrigin, GlassboxError, type Usage } from '../../event/index.js';
import { addUsage, type Reported } from '../meter.js';
import type { Outcome, RunRecord, RunState, SessionRecord } from '../record.js';
import { sumSpent } from '../spent.js';
import type { Connection } from './connection.js';
import type { Row } from './driver.js';
import { number, text, usageOf, withoutUndefined } from './row.js';
import { findRun, latestRunOf } from './run.js';

const TITLE_LENGTH = 120;

/** Sessions by number, in the given order. */
export function sessionsByNo(db: Connection, numbers: readonly number[]): SessionRecord[] {
  const rows = db.all(
    `select run.*, session.id as session_id, source.id as forked_id, before.id as before_id,
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
    return number(db.get('select session from run order by updated_at desc, no desc limit 1')?.session);
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
  const runs = rows.map(runOf);
  const [first] = runs;
  const last = runs.at(-1);
  if (!first || !last) return undefined;
  const title =
    text(rows.map((row) => row.title).findLast(Boolean)) ?? text(rows.map((row) => row.prompt).find(Boolean));
  const parts = runs.filter((run) => run.spent || Object.keys(run.usage).length > 0).map((run) => run.spent ?? {});
  return withoutUndefined<SessionRecord>({
    id: first.session,
    title: oneLine(title ?? ''),
    agent: last.agent,
    agentSessionId: last.agentSessionId,
    model: last.model,
    cwd: last.cwd ?? first.cwd,
    state: last.state,
    outcome: last.outcome,
    error: last.error,
    startedAt: first.startedAt,
    updatedAt: Math.max(...runs.map((run) => run.updatedAt)),
    spent: sumSpent(parts),
    usage: runs.reduce<Usage>((sum, run) => addUsage(sum, run.usage), {}),
    turns: runs.reduce((sum, run) => sum + run.turns, 0),
    toolCalls: runs.reduce((sum, run) => sum + run.toolCalls, 0),
    waiting: rows.reduce((sum, row) => sum + Number(row.waiting), 0),
    forkedFrom: text(rows[0]?.forked_id),
    runs,
  });
}

function runOf(row: Row): RunRecord {
  const state = stateOf(row);
  const reported = text(row.reported);
  return withoutUndefined<RunRecord>({
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
        : { pid: Number(row.pid), host: String(row.host), heartbeatAt: Number(row.heartbeat_at) },
    piped: row.piped === null ? undefined : true,
    resumedFrom: text(row.before_id),
    sourceState: text(row.source_state),
    lastSeq: Number(row.last_seq),
    bytes: Number(row.bytes),
    spent: row.usd === null ? undefined : { usd: Number(row.usd), origin: text(row.origin) as CostOrigin },
    reported: reported === undefined ? undefined : (JSON.parse(reported) as Reported).cost,
    usage: usageOf(row),
    turns: Number(row.turns),
    toolCalls: Number(row.tool_calls),
  });
}

/** Without an owner nobody can add to a run: it has ended. The same condition as in `filter.ts`. */
function stateOf(row: Row): RunState {
  if (row.ended_at !== null || row.heartbeat_at === null) return 'ended';
  return Number(row.waiting) > 0 ? 'waiting' : 'running';
}

function oneLine(value: string): string {
  const line = value.trim().replace(/\s+/g, ' ');
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}
