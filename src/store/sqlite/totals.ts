/** What was spent, summed up by one property. Days are those of this machine's time zone. */
import type { Total, TotalKey, TotalsQuery } from '../query.js';
import { PROJECT, SPENT, totalOf, weaknessBy } from '../table/total-row.js';
import type { Connection } from './connection.js';
import { filteredSessions } from './filter.js';

const TOOL_USE = 'select * from tool_use';
const CAUSE_USE = 'select *, null as failed from cause_use';
const LOCAL = "part.at / 1000, 'unixepoch', 'localtime'";

const SOURCES: Record<TotalKey, { from: string; key: string; order: string }> = {
  day: { from: SPENT, key: `date(${LOCAL})`, order: 'key' },
  // Six days back and on to the next Monday.
  week: { from: SPENT, key: `date(${LOCAL}, '-6 days', 'weekday 1')`, order: 'key' },
  month: { from: SPENT, key: `strftime('%Y-%m', ${LOCAL})`, order: 'key' },
  session: { from: SPENT, key: '(select id from session where no = run.session)', order: 'usd desc' },
  project: { from: SPENT, key: PROJECT, order: 'usd desc' },
  agent: { from: SPENT, key: 'run.agent', order: 'usd desc' },
  model: { from: SPENT, key: 'part.model', order: 'usd desc' },
  tool: { from: TOOL_USE, key: 'part.name', order: 'usd desc' },
  cause: { from: CAUSE_USE, key: 'part.cause', order: 'usd desc' },
};

export function sumTotals(db: Connection, query: TotalsQuery): Total[] {
  const { by, since, until, ...filter } = query;
  const { from, key, order } = SOURCES[by];
  const allowed = filteredSessions(db, filter);
  const rows = db.all(
    `select ${key} as key, sum(part.usd) as usd, max(${weaknessBy(by)}) as weakness, max(run.lacks) as lacks,
       sum(part.input) as input, sum(part.output) as output, sum(part.cache_read) as cache_read,
       sum(part.cache_write) as cache_write, sum(part.thinking) as thinking,
       count(distinct run.session) as sessions, sum(part.calls) as calls, sum(part.failed) as failed
     from (${from}) part join run on run.no = part.run
     where (?1 is null or run.session in (select value from json_each(?1)))
       and (?2 is null or part.at >= ?2) and (?3 is null or part.at < ?3)
     group by 1 order by ${order}, output desc, key`,
    ...[allowed ? JSON.stringify([...allowed]) : null, since ?? null, until ?? null],
  );
  return rows.map(totalOf);
}
