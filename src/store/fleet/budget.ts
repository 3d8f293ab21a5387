/** Budgets over many runs, and what counts towards one: what the runs of its project and principal spent in its period. */
import type { Budget, Spending } from '../../budget/index.js';
import { defined } from '../../event/index.js';
import { numberOf, rowsOf, type Sql, type SqlRow, textOf } from './sql.js';

export interface BudgetTable {
  /** Takes the place of the one with this id. */
  put(budget: Budget): Promise<void>;
  remove(id: string): Promise<boolean>;
  list(): Promise<Budget[]>;
  /** Of the runs that it is about, since a moment in ms since the epoch. */
  spent(budget: Pick<Budget, 'project' | 'principal'>, since: number): Promise<Spending>;
  /** The clock by which periods begin. */
  now(): Promise<number>;
}

export function createBudgetTable(sql: Sql): BudgetTable {
  return {
    async put({ id, project, principal, period, usd, running, unknown }) {
      await rowsOf(
        sql,
        `insert into budget (id, project, principal, period, usd, running, unknown) values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
         on conflict (id) do update set project = excluded.project, principal = excluded.principal, period = excluded.period,
           usd = excluded.usd, running = excluded.running, unknown = excluded.unknown`,
        ...[id, project ?? null, principal ?? null, period, usd, running, unknown],
      );
    },
    async remove(id) {
      return (await rowsOf(sql, 'delete from budget where id = ?1 returning id', id)).length > 0;
    },
    async list() {
      return (await rowsOf(sql, 'select * from budget order by project, principal, period, id')).map(budgetOf);
    },
    async spent({ project, principal }, since) {
      // Work that was sent to a worker is spent by whoever sent it.
      const whose = 'coalesce((select principal from job_run where job_run.run = run.id), run.principal)';
      const about = `(cast(?1 as text) is null or run.project = ?1) and (cast(?2 as text) is null or ${whose} = ?2)`;
      const values = [project ?? null, principal ?? null, since];
      const [sums, counts] = await sql.all([
        {
          sql: `select sum(spend.usd) as usd from spend join run on run.no = spend.run
             where ${about} and spend.at >= cast(?3 as bigint)`,
          values,
        },
        {
          // Of one that has just begun nothing could be known yet.
          sql: `select count(*) as runs from run
             where ${about} and run.updated_at >= cast(?3 as bigint) and run.turns > 0
               and (run.usd is null or run.origin = 'lower-bound')`,
          values,
        },
      ]);
      return { usd: numberOf(sums?.[0]?.usd) ?? 0, unknownRuns: numberOf(counts?.[0]?.runs) ?? 0 };
    },
    async now() {
      const [row] = await rowsOf(sql, `select ${sql.dialect.now} as now`);
      return Number(row?.now);
    },
  };
}

function budgetOf(row: SqlRow): Budget {
  return defined<Budget>({
    id: String(row.id),
    project: textOf(row.project),
    principal: textOf(row.principal),
    period: row.period === 'day' ? 'day' : 'month',
    usd: Number(row.usd),
    running: row.running === 'end' ? 'end' : 'finish',
    unknown: row.unknown === 'refuse' ? 'refuse' : 'count',
  });
}
