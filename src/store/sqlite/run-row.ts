/** The row of a run, found by its id or by the agent's session. */
import type { Connection } from './connection.js';
import type { Row } from './driver.js';

export function findRun(db: Connection, runId: string): Row | undefined {
  return db.get('select * from run where id = ?', runId);
}

/** `but`: not this one. */
export function latestRunOf(
  db: Connection,
  agent: string | undefined,
  agentSessionId: string,
  but?: number,
): Row | undefined {
  return db.get(
    `select run.* from agent_session a join run on run.no = a.run
     where a.id = ?1 and a.agent = coalesce(?2, a.agent) and run.no is not ?3
     order by run.started_at desc, run.no desc limit 1`,
    ...[agentSessionId, agent ?? null, but ?? null],
  );
}
