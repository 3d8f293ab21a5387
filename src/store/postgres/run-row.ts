/** The row of a run, found by its id or by the agent's session. */
import type { Row } from '../table/row.js';
import type { Asker } from './connection.js';

export function findRun(db: Asker, runId: string): Promise<Row | undefined> {
  return db.get('select * from run where id = $1', runId);
}

/** Nobody else writes to it until the transaction ends. */
export function holdRun(tx: Asker, runId: string): Promise<Row | undefined> {
  return tx.get('select * from run where id = $1 for update', runId);
}

export interface Except {
  /** Not this one. */
  but?: number;
  /** None that is for another project: who writes for one must not get into the sessions of another. */
  project?: string | null | undefined;
}

export function latestRunOf(
  db: Asker,
  agent: string | undefined,
  agentSessionId: string,
  { but, project }: Except = {},
): Promise<Row | undefined> {
  return db.get(
    `select run.* from agent_session a join run on run.no = a.run
     where a.id = $1 and ($2::text is null or a.agent = $2) and ($3::bigint is null or run.no <> $3)
       and coalesce(run.project, $4, '') = coalesce($4, run.project, '')
     order by run.started_at desc, run.no desc limit 1`,
    ...[agentSessionId, agent ?? null, but ?? null, project ?? null],
  );
}
