/** The tables of what was spent: by turn and model, and by tool; and what a resumed run goes on from. */
import type { Baseline, Reported } from '../meter.js';
import type { Additions } from '../summary.js';
import type { Connection } from './connection.js';
import type { Row } from './driver.js';
import { text, usageOf, usageValues } from './row.js';

/** As in the table of tools. */
const QUARTER_MS = 900_000;

export interface Spending {
  add(run: number, at: number, additions: Additions): void;
  /** Writes the calls that were counted. */
  save(): void;
  forget(): void;
}

interface Calls {
  run: number;
  quarter: number;
  name: string;
  calls: number;
  failed: number;
}

export function createSpending(db: Connection): Spending {
  /** Counted here first: a call of a tool is too small a thing for a statement of its own. */
  const counted = new Map<string, Calls>();

  return {
    add(run, at, { spends, shares, call }) {
      const quarter = Math.floor(at / QUARTER_MS);
      for (const spend of spends) {
        db.run(
          `insert or replace into spend (run, seq, model, at, usd, origin, input, output, cache_read, cache_write, thinking)
           values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          ...[run, spend.seq, spend.model, spend.at, spend.usd ?? null, spend.origin ?? null],
          ...usageValues(spend.usage),
        );
      }
      for (const { name, usd, usage } of shares) {
        db.run(
          `insert into tool_use (run, quarter, name, usd, input, output, cache_read, cache_write, thinking)
           values (?, ?, ?, ?, ?, ?, ?, ?, ?)
           on conflict do update set
             usd = coalesce(usd + excluded.usd, usd, excluded.usd), input = input + excluded.input,
             output = output + excluded.output, cache_read = cache_read + excluded.cache_read,
             cache_write = cache_write + excluded.cache_write, thinking = thinking + excluded.thinking`,
          ...[run, quarter, name, usd ?? null],
          ...usageValues(usage).map((count) => count ?? 0),
        );
      }
      if (call) count(run, quarter, call);
    },
    save() {
      for (const { run, quarter, name, calls, failed } of counted.values()) {
        db.run(
          `insert into tool_use (run, quarter, name, calls, failed) values (?, ?, ?, ?, ?)
           on conflict do update set calls = calls + excluded.calls, failed = failed + excluded.failed`,
          ...[run, quarter, name, calls, failed],
        );
      }
      counted.clear();
    },
    forget: () => counted.clear(),
  };

  function count(run: number, quarter: number, { name, calls, failed }: Omit<Calls, 'run' | 'quarter'>): void {
    const key = `${quarter} ${name}`;
    const known = counted.get(key) ?? { run, quarter, name, calls: 0, failed: 0 };
    counted.set(key, { ...known, calls: known.calls + calls, failed: known.failed + failed });
  }
}

export function baselineOf(db: Connection, { session, no, resumes, resumed_from: before }: Row): Baseline {
  if (!before) return resumes === null ? 'none' : 'unknown';
  const last = text(db.get('select reported from run where no = ?', before)?.reported);
  const reported = last === undefined ? undefined : (JSON.parse(last) as Reported);
  return reported?.cost?.scope === 'session' ? reported : spentBefore(db, Number(session), Number(no));
}

/** Figures that do not reach over runs add up to one that does. */
function spentBefore(db: Connection, session: number, run: number): Baseline {
  const rows = db.all(
    `select spend.model, sum(spend.usd) as usd, max(spend.usd is null) as unknown, sum(spend.input) as input,
       sum(spend.output) as output, sum(spend.cache_read) as cache_read, sum(spend.cache_write) as cache_write,
       sum(spend.thinking) as thinking
     from spend join run on run.no = spend.run where run.session = ? and run.no < ? group by spend.model`,
    ...[session, run],
  );
  if (rows.length === 0 || rows.some((row) => row.unknown === 1)) return 'unknown';
  const usd = rows.reduce((sum, row) => sum + Number(row.usd), 0);
  const modelUsage = rows.map((row) => ({ model: String(row.model), usd: Number(row.usd), ...usageOf(row) }));
  return { cost: { usd, scope: 'session', origin: 'computed' }, modelUsage };
}
