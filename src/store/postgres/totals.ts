/** What was spent, summed up by one property. Days are those of this machine's time zone. */
import type { Total, TotalKey, TotalsQuery } from '../query.js';
import { PROJECT, SPENT, totalOf, weaknessBy } from '../table/total-row.js';
import type { Asker } from './connection.js';
import { filteredSessions } from './filter.js';

const TOOL_USE = 'select * from tool_use';
const CAUSE_USE = 'select *, null::integer as failed from cause_use';
const LOCAL = 'to_timestamp(part.at / 1000.0) at time zone $4';

const BY_COST = 'usd desc nulls last';

const SOURCES: Record<TotalKey, { from: string; key: string; order: string }> = {
  day: { from: SPENT, key: `to_char(${LOCAL}, 'YYYY-MM-DD')`, order: '1' },
  week: { from: SPENT, key: `to_char(date_trunc('week', ${LOCAL}), 'YYYY-MM-DD')`, order: '1' },
  month: { from: SPENT, key: `to_char(${LOCAL}, 'YYYY-MM')`, order: '1' },
  session: { from: SPENT, key: '(select id from session where no = run.session)', order: BY_COST },
  project: { from: SPENT, key: PROJECT, order: BY_COST },
  agent: { from: SPENT, key: 'run.agent', order: BY_COST },
  model: { from: SPENT, key: 'part.model', order: BY_COST },
  tool: { from: TOOL_USE, key: 'part.name', order: BY_COST },
  cause: { from: CAUSE_USE, key: 'part.cause', order: BY_COST },
};

export async function sumTotals(db: Asker, query: TotalsQuery): Promise<Total[]> {
  const { by, since, until, ...filter } = query;
  const { from, key, order } = SOURCES[by];
  const allowed = await filteredSessions(db, filter);
  const rows = await db.all(
    `select ${key} as key, sum(part.usd) as usd, max(${weaknessBy(by)}) as weakness, max(run.lacks) as lacks,
       sum(part.input) as input, sum(part.output) as output, sum(part.cache_read) as cache_read,
       sum(part.cache_write) as cache_write, sum(part.thinking) as thinking,
       count(distinct run.session) as sessions, sum(part.calls) as calls, sum(part.failed) as failed
     from (${from}) part join run on run.no = part.run
     where ($1::bigint[] is null or run.session = any($1::bigint[]))
       and ($2::bigint is null or part.at >= $2) and ($3::bigint is null or part.at < $3) and $4::text is not null
     group by 1 order by ${order}, output desc nulls last, 1`,
    ...[allowed ?? null, since ?? null, until ?? null, timeZone()],
  );
  return rows.map(totalOf);
}

function timeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}
