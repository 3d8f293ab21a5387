/** The filters of the contract, in one place for list, search and totals. */
import type { Filter } from '../query.js';
import { filterValues } from '../table/filter-row.js';
import type { Asker } from './connection.js';

/** A run that ended before its agent did or said anything that could be shown or continued. */
export const EMPTY_RUN = `(run.ended_at is not null and run.agent_session is null and run.piped is null
  and run.tool_calls = 0 and coalesce(run.output, 0) = 0 and run.outcome is distinct from 'finished')`;

/** One row per session: the facts of its latest run, the state of those that live and the sums over all. */
const SESSIONS = `
  select run.session as no, max(run.updated_at) as updated_at, min(run.started_at) as started_at, sum(run.usd) as usd,
    (array_agg(run.agent order by run.started_at desc, run.no desc))[1] as agent,
    (array_agg(run.cwd order by run.cwd is null, run.started_at desc, run.no desc))[1] as cwd,
    (array_agg(run.outcome order by run.started_at desc, run.no desc))[1] as outcome,
    coalesce(max(case when run.ended_at is null and run.heartbeat_at is not null then
      case when exists (select 1 from approval where approval.run = run.no and status = 'pending')
        then 'waiting' else 'running' end end), 'ended') as state
  from run group by run.session`;

/** Parameters 1 to 12 are the filter; what is null does not filter. Further conditions begin at 13. */
export const FILTERED_SESSIONS = `
  select no, updated_at from (${SESSIONS}) as listed
  where ($1::text is null or agent = $1)
    and ($2::text is null or cwd = $2 or starts_with(cwd, $2 || '/') or starts_with(cwd, $2 || '\\'))
    and ($3::text is null or state = $3)
    and ($4::text is null or (state = 'ended' and outcome = $4))
    and ($5::bigint is null or updated_at >= $5)
    and ($6::bigint is null or started_at < $6)
    and ($7::double precision is null or usd >= $7)
    and ($8::double precision is null or usd <= $8)
    and ($9::integer is null or exists (select 1 from run where run.session = listed.no and not ${EMPTY_RUN}))
    and ($10::integer is null or ($10 = 1) = exists (select 1 from session where session.no = listed.no and pinned is not null))
    and ($11::text is null or exists (select 1 from run where run.session = listed.no
      and run.project in (select json_array_elements_text($11::json))))
    and ($12::integer is null or ($12 = 1) = exists (select 1 from session
      where session.no = listed.no and archived_at >= listed.updated_at))`;

/** The numbers of the sessions that are meant; undefined when all are. */
export async function filteredSessions(db: Asker, filter: Filter): Promise<number[] | undefined> {
  const values = filterValues(filter);
  if (values.every((value) => value === null)) return undefined;
  return (await db.all(FILTERED_SESSIONS, ...values)).map((row) => Number(row.no));
}
