/** Records of sessions and runs, as the contract shows them, from the rows of the tables: the same whichever database has them. */
import { type Balance, type CostOrigin, defined, type Terms } from '../../event/index.js';
import type { Figure } from '../../ledger/index.js';
import type { Outcome, RunRecord, RunState, SessionRecord } from '../record.js';
import { sessionRecord } from '../session-record.js';
import type { Stuck } from '../stuck.js';
import { number, parsed, type Row, text, usageOf, type Value } from './row.js';
import { sourceOf } from './source-row.js';

/** Rows of runs with `session_id`, `forked_id`, `before_id`, `waiting` and what a person said of the session; sessions in the given order. */
export function sessionsOf(rows: readonly Row[], numbers: readonly number[]): SessionRecord[] {
  const bySession = new Map<number, Row[]>();
  for (const row of rows) {
    const own = bySession.get(Number(row.session));
    if (own) own.push(row);
    else bySession.set(Number(row.session), [row]);
  }
  return numbers.flatMap((no) => sessionOf(bySession.get(no) ?? []) ?? []);
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
    archivedAt: number(first?.archived_at),
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
    project: text(row.project),
    principal: text(row.principal),
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
    refused: text(row.refused),
    stuck: state === 'ended' ? undefined : stuckOf(row.stuck),
    damaged: balance.isDamaged || terms.isDamaged ? true : undefined,
  });
}

function jsonOf<Kept>(column: Value | undefined): { value?: Kept; isDamaged: boolean } {
  const json = text(column);
  const value = json === undefined ? undefined : parsed<Kept>(json);
  return { ...(value !== undefined && { value }), isDamaged: json !== undefined && value === undefined };
}

function stuckOf(column: Value | undefined): RunRecord['stuck'] {
  const { at, text: told } = jsonOf<Stuck>(column).value ?? {};
  return at === undefined || told === undefined ? undefined : { at, text: told };
}

function figureOf({ usd, origin }: Row): Figure | undefined {
  return usd === null ? undefined : { usd: Number(usd), scope: 'process', origin: origin as CostOrigin };
}

/** Without an owner nobody can add to a run: it has ended. The same condition as in `filter.ts`. */
function stateOf(row: Row): RunState {
  if (row.ended_at !== null || row.heartbeat_at === null) return 'ended';
  return Number(row.waiting) > 0 ? 'waiting' : 'running';
}
