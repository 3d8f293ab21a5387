/** The row of a run, found by its id or by the agent's session. */

import type { Row } from '../table/row.js';
import type { Connection } from './connection.js';

export function findRun(db: Connection, runId: string): Row | undefined {
  return db.get('select * from run where id = ?', runId);
}

export interface Except {
  /** Not this one. */
  but?: number;
  /** None that is for another project: who writes for one must not get into the sessions of another. */
  project?: string | null | undefined;
}

/** As much of it as is asked for: reading all of its columns costs more than finding it. */
export function latestRunOf(
  db: Connection,
  agent: string | undefined,
  agentSessionId: string,
  { but, project }: Except = {},
): Row | undefined {
  return db.get(
    `select run.no, run.session, run.balance, run.source_state, run.terms, run.piped, run.updated_at
     from agent_session a join run on run.no = a.run
     where a.id = ?1 and a.agent = coalesce(?2, a.agent) and run.no is not ?3
       and coalesce(run.project, ?4, '') = coalesce(?4, run.project, '')
     order by run.started_at desc, run.no desc limit 1`,
    ...[agentSessionId, agent ?? null, but ?? null, project ?? null],
  );
}
