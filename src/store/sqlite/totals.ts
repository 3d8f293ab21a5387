/** What was spent, summed up by one property. Days are those of this machine's time zone. */
import type { Total, TotalKey, TotalsQuery } from '../query.js';
import { ORIGINS } from '../spent.js';
import type { Connection } from './connection.js';
import type { Row } from './driver.js';
import { filteredSessions } from './filter.js';
import { number, usageOf, withoutUndefined } from './row.js';

const SPEND = 'select *, null as calls, null as failed from spend';
const TOOL_USE = "select *, quarter * 900000 as at, 'computed' as origin from tool_use";

const SOURCES: Record<TotalKey, { from: string; key: string; order: string }> = {
  day: { from: SPEND, key: "date(part.at / 1000, 'unixepoch', 'localtime')", order: 'key' },
  project: { from: SPEND, key: "coalesce(run.cwd, '')", order: 'usd desc' },
  agent: { from: SPEND, key: 'run.agent', order: 'usd desc' },
  model: { from: SPEND, key: 'part.model', order: 'usd desc' },
  tool: { from: TOOL_USE, key: 'part.name', order: 'usd desc' },
};

export function sumTotals(db: Connection, query: TotalsQuery): Total[] {
  const { by, since, until, ...filter } = query;
  const { from, key, order } = SOURCES[by];
  const allowed = filteredSessions(db, filter);
  const rows = db.all(
    `select ${key} as key, sum(part.usd) as usd, max(${WEAKNESS}) as weakness,
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

/** Index in `ORIGINS`: a sum is only as good as its weakest part. */
const WEAKNESS = `case when part.usd is null then 2 else ${ORIGINS.map((origin, index) => `(part.origin = '${origin}') * ${index}`).join(' + ')} end`;

function totalOf(row: Row): Total {
  const usd = number(row.usd);
  const origin = ORIGINS[Number(row.weakness)] ?? 'lower-bound';
  return withoutUndefined<Total>({
    key: String(row.key),
    spent: usd === undefined ? undefined : { usd, origin },
    usage: usageOf(row),
    sessions: Number(row.sessions),
    calls: number(row.calls),
    failed: number(row.failed),
  });
}
