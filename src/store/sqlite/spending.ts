/** The tables of what was spent: by turn and model, by turn and tool, by turn and cause; the columns of a run's figures; what a run goes on from. */
import type { AgentEvent, Balance } from '../../event/index.js';
import { balanceOf, enter, type Ledger, openLedger } from '../../ledger/index.js';
import type { Additions } from '../summary.js';
import { isImported } from '../table/figure-row.js';
import { parsed, type Row, text, usageValues } from '../table/row.js';
import type { Connection } from './connection.js';
import { eventOf } from './event-row.js';
import { latestRunOf } from './run-row.js';
import { RUN_SHIFT } from './schema.js';

export interface Spending {
  /** `onlyFigures`: nothing is known of tools yet. */
  add(run: number, event: AgentEvent, additions: Additions, onlyFigures?: boolean): void;
  /** Writes the calls that were counted. */
  save(): void;
  forget(): void;
}

interface Calls {
  run: number;
  turn: number;
  at: number;
  name: string;
  calls: number;
  failed: number;
}

const ADD_TOKENS = ['input', 'output', 'cache_read', 'cache_write', 'thinking']
  .map((column) => `${column} = coalesce(${column} + excluded.${column}, ${column}, excluded.${column})`)
  .join(', ');

const ADD_FIGURES = `usd = coalesce(usd + excluded.usd, usd, excluded.usd), ${ADD_TOKENS}`;

// Whole before they are used: a statement is found by its text, and one that is put together anew has to be read to the end for that.
const ADD_SPENT = `insert into spend (run, seq, model, at, usd, input, output, cache_read, cache_write, thinking)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set ${ADD_FIGURES}`;
const ADD_TOOL = `insert into tool_use (run, turn, name, at, usd, input, output, cache_read, cache_write, thinking)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do update set at = excluded.at, ${ADD_FIGURES}`;
const ADD_CAUSE = `insert into cause_use (run, turn, cause, at, calls, usd, input, output, cache_read, cache_write, thinking)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  on conflict do update set at = excluded.at, calls = calls + excluded.calls, ${ADD_FIGURES}`;
const COUNT_CALLS = `insert into tool_use (run, turn, name, at, calls, failed) values (?, ?, ?, ?, ?, ?)
  on conflict do update set calls = calls + excluded.calls, failed = failed + excluded.failed`;

export function createSpending(db: Connection): Spending {
  /** Counted here first: a call of a tool is too small a thing for a statement of its own. */
  const counted = new Map<string, Calls>();

  return {
    add(run, { seq, at, turn }, { charges, call }, onlyFigures) {
      for (const { entry, shares, causes } of charges) {
        for (const { model, usd, ...usage } of entry.models) {
          db.run(ADD_SPENT, run, seq, model, at, usd ?? null, ...usageValues(usage));
        }
        if (onlyFigures) continue;
        for (const { name, usd, usage } of shares) {
          db.run(ADD_TOOL, run, entry.turn, name, at, usd ?? null, ...usageValues(usage));
        }
        for (const { cause, usd, usage, calls } of causes) {
          db.run(ADD_CAUSE, run, entry.turn, cause, at, calls, usd ?? null, ...usageValues(usage));
        }
        // A turn's calls are spent when it is: what is asked for by time shows all of it or nothing.
        db.run('update tool_use set at = ? where run = ? and turn = ?', at, run, entry.turn);
      }
      if (call) count({ run, turn, at, ...call });
    },
    save() {
      for (const { run, turn, at, name, calls, failed } of counted.values()) {
        db.run(COUNT_CALLS, run, turn, name, at, calls, failed);
      }
      counted.clear();
    },
    forget: () => counted.clear(),
  };

  function count(call: Calls): void {
    const key = `${call.run} ${call.turn} ${call.name}`;
    const known = counted.get(key);
    const { calls = 0, failed = 0 } = known ?? {};
    counted.set(key, { ...call, calls: calls + call.calls, failed: failed + call.failed });
  }
}

/** Where the agent's counters stood when the run before it ended: the one that it resumes, or that had the same session. */
export function balanceBefore(db: Connection, run: Row, agentSessionId: string | undefined): Balance | undefined {
  const { no, agent, resumed_from: before } = run;
  const row = before
    ? db.get('select * from run where no = ?', before)
    : agentSessionId && latestRunOf(db, String(agent), agentSessionId, { but: Number(no) });
  // It continues something of which nothing is kept; and when that happened which came through a pipe, nobody knows.
  if (!row || (isImported(row) && run.piped !== null)) return run.resumes === null ? undefined : {};
  if (isImported(row) && Number(row.updated_at) >= Number(run.started_at))
    return balanceAt(db, Number(row.no), Number(run.started_at)) ?? (run.resumes === null ? undefined : {});
  const balance = text(row.balance);
  return balance === undefined ? undefined : parsed<Balance>(balance);
}

/** Undefined when nothing happened before. */
function balanceAt(db: Connection, run: number, at: number): Balance | undefined {
  let ledger: Ledger | undefined;
  for (const row of db.all(EVENTS_OF, run * RUN_SHIFT, (run + 1) * RUN_SHIFT)) {
    const event = eventOf(row);
    if (event && event.at < at) ledger = enter(ledger ?? openLedger(), event).ledger;
  }
  return ledger && balanceOf(ledger);
}

const EVENTS_OF = 'select body, sum from event where id >= ? and id < ?';
