/** Lines and fields that were not known, counted by run and summed up by the version of the agent. */
import { type EventOf, lineCount } from '../../event/index.js';
import type { Drift, DriftQuery } from '../query.js';
import { driftOf, unknownOf } from '../table/drift-row.js';
import type { Connection } from './connection.js';

export function countUnknown(db: Connection, run: number, event: EventOf<'unknown'>): void {
  const { kind, field } = unknownOf(event);
  db.run(
    `insert into unknown_line (run, kind, field, count) values (?, ?, ?, ?)
     on conflict do update set count = count + excluded.count`,
    ...[run, kind, field, lineCount(event)],
  );
}

export function sumDrift(db: Connection, { since }: DriftQuery): Drift[] {
  const rows = db.all(
    `select run.agent, run.agent_version, kind, field, sum(count) as count, count(*) as runs, max(run.updated_at) as last_at
     from unknown_line join run on run.no = unknown_line.run
     where ?1 is null or run.updated_at >= ?1
     group by 1, 2, 3, 4 order by count desc, agent, agent_version, kind, field`,
    since ?? null,
  );
  return rows.map(driftOf);
}
