/** The tables of what was spent: by turn and model, by turn and tool, by turn and cause; and what a run goes on from. */
import type { AgentEvent, Balance } from '../../event/index.js';
import { balanceOf, enter, type Ledger, openLedger } from '../../ledger/index.js';
import type { Additions } from '../summary.js';
import { isImported } from '../table/figure-row.js';
import { parsed, type Row, text, usageValues, type Value } from '../table/row.js';
import { addFigures, USAGE_COLUMNS } from './columns.js';
import type { Asker } from './connection.js';
import { eventsOf } from './event.js';
import { latestRunOf } from './run-row.js';

export interface Spending {
  /** `onlyFigures`: nothing is known of tools yet. */
  add(run: number, event: AgentEvent, additions: Additions, onlyFigures?: boolean): void;
  /** Writes what was added. */
  save(tx: Asker): Promise<void>;
}

interface Charge {
  sql: string;
  values: Value[];
}

interface Calls {
  run: number;
  turn: number;
  at: number;
  name: string;
  calls: number;
  failed: number;
}

const USAGE = USAGE_COLUMNS.join(', ');

const INSERT_SPEND = `insert into spend (run, seq, model, at, ${USAGE}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (run, seq, model) do update set ${addFigures('spend')}`;
const INSERT_SHARE = `insert into tool_use (run, turn, name, at, ${USAGE}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (run, turn, name) do update set at = excluded.at, ${addFigures('tool_use')}`;
const INSERT_CAUSE = `insert into cause_use (run, turn, cause, at, calls, ${USAGE}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (run, turn, cause) do update set at = excluded.at, calls = cause_use.calls + excluded.calls, ${addFigures('cause_use')}`;
const INSERT_CALLS = `insert into tool_use (run, turn, name, at, calls, failed)
  select * from unnest($1::bigint[], $2::integer[], $3::text[], $4::bigint[], $5::integer[], $6::integer[])
  on conflict (run, turn, name) do update set calls = tool_use.calls + excluded.calls, failed = tool_use.failed + excluded.failed`;

/** For one transaction. */
export function createSpending(): Spending {
  const charged: Charge[] = [];
  /** Counted here first: a call of a tool is too small a thing for a row of its own. */
  const counted = new Map<string, Calls>();

  return {
    add(run, { seq, at, turn }, { charges, call }, onlyFigures) {
      for (const { entry, shares, causes } of charges) {
        for (const { model, usd, ...usage } of entry.models) {
          charged.push({ sql: INSERT_SPEND, values: [run, seq, model, at, usd ?? null, ...usageValues(usage)] });
        }
        if (onlyFigures) continue;
        for (const { name, usd, usage } of shares) {
          charged.push({ sql: INSERT_SHARE, values: [run, entry.turn, name, at, usd ?? null, ...usageValues(usage)] });
        }
        for (const { cause, usd, usage, calls } of causes) {
          charged.push({
            sql: INSERT_CAUSE,
            values: [run, entry.turn, cause, at, calls, usd ?? null, ...usageValues(usage)],
          });
        }
        // A turn's calls are spent when it is: what is asked for by time shows all of it or nothing.
        charged.push({
          sql: 'update tool_use set at = $1 where run = $2 and turn = $3',
          values: [at, run, entry.turn],
        });
      }
      if (call) count({ run, turn, at, ...call });
    },
    async save(tx) {
      for (const { sql, values } of charged.splice(0)) await tx.run(sql, ...values);
      const calls = [...counted.values()];
      counted.clear();
      if (calls.length === 0) return;
      const column = (key: keyof Calls) => calls.map((one) => one[key]);
      await tx.run(
        INSERT_CALLS,
        ...(['run', 'turn', 'name', 'at', 'calls', 'failed'] as const).map((key) => column(key)),
      );
    },
  };

  function count(call: Calls): void {
    const key = `${call.run} ${call.turn} ${call.name}`;
    const { calls = 0, failed = 0 } = counted.get(key) ?? {};
    counted.set(key, { ...call, calls: calls + call.calls, failed: failed + call.failed });
  }
}

/** Where the agent's counters stood when the run before it ended: the one that it resumes, or that had the same session. */
export async function balanceBefore(
  db: Asker,
  run: Row,
  agentSessionId: string | undefined,
): Promise<Balance | undefined> {
  const { no, agent, resumed_from: before } = run;
  const row = before
    ? await db.get('select * from run where no = $1', before)
    : agentSessionId && (await latestRunOf(db, String(agent), agentSessionId, { but: Number(no) }));
  const nothing = run.resumes === null ? undefined : {};
  // It continues something of which nothing is kept; and when that happened which came through a pipe, nobody knows.
  if (!row || (isImported(row) && run.piped !== null)) return nothing;
  if (isImported(row) && Number(row.updated_at) >= Number(run.started_at))
    return (await balanceAt(db, Number(row.no), Number(run.started_at))) ?? nothing;
  const balance = text(row.balance);
  return balance === undefined ? undefined : parsed<Balance>(balance);
}

/** Undefined when nothing happened before. */
async function balanceAt(db: Asker, run: number, at: number): Promise<Balance | undefined> {
  let ledger: Ledger | undefined;
  for (const event of await eventsOf(db, run)) {
    if (event.at < at) ledger = enter(ledger ?? openLedger(), event).ledger;
  }
  return ledger && balanceOf(ledger);
}
