/** The filters of the contract, in one place for list, search and totals. */
import type { Filter } from '../query.js';
import { filterValues } from '../table/filter-row.js';
import type { Connection } from './connection.js';

/** A run that ended before its agent did or said anything that could be shown or continued. */
export const EMPTY_RUN = `(run.ended_at is not null and run.agent_session is null and run.piped is null
  and run.tool_calls = 0 and coalesce(run.output, 0) = 0 and run.outcome is not 'finished')`;

/** One row per session: the facts of its latest run, the state of those that live and the sums over all. `session-record.ts` says the same about the state. */
const SESSIONS = `
  select session.no, last.agent, coalesce(last.cwd, (select max(cwd) from run where session = session.no)) as cwd, last.outcome,
    coalesce(
      (select max(case when exists (select 1 from approval where approval.run = live.no and status = 'pending')
          then 'waiting' else 'running' end)
        from run live where live.session = session.no and live.ended_at is null and live.heartbeat_at is not null),
      'ended') as state,
    (select max(updated_at) from run where run.session = session.no) as updated_at,
    (select min(started_at) from run where run.session = session.no) as started_at,
    (select sum(usd) from run where run.session = session.no) as usd
  from session join run last
    on last.no = (select no from run where run.session = session.no order by started_at desc, no desc limit 1)`;

/** Parameters 1 to 12 are the filter; what is null does not filter. Further conditions begin at 13. */
export const FILTERED_SESSIONS = `
  select no, updated_at from (${SESSIONS}) as listed
  where (?1 is null or agent = ?1)
    and (?2 is null or cwd = ?2 or substr(cwd, 1, length(?2) + 1) in (?2 || '/', ?2 || '\\'))
    and (?3 is null or state = ?3)
    and (?4 is null or (state = 'ended' and outcome = ?4))
    and (?5 is null or updated_at >= ?5)
    and (?6 is null or started_at < ?6)
    and (?7 is null or usd >= ?7)
    and (?8 is null or usd <= ?8)
    and (?9 is null or exists (select 1 from run where run.session = listed.no and not ${EMPTY_RUN}))
    and (?10 is null or ?10 = exists (select 1 from session where session.no = listed.no and pinned is not null))
    and (?11 is null or exists (select 1 from run where run.session = listed.no and run.project in (select value from json_each(?11))))
    and (?12 is null or ?12 = exists (select 1 from session where session.no = listed.no and archived_at >= listed.updated_at))`;

/** The numbers of the sessions that are meant; undefined when all are. */
export function filteredSessions(db: Connection, filter: Filter): Set<number> | undefined {
  const values = filterValues(filter);
  if (values.every((value) => value === null)) return undefined;
  return new Set(db.all(FILTERED_SESSIONS, ...values).map((row) => Number(row.no)));
}
