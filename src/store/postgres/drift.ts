/** Lines and fields that were not known, counted by run and summed up by the version of the agent. */
import { type EventOf, lineCount } from '../../event/index.js';
import type { Drift, DriftQuery } from '../query.js';
import { driftOf, unknownOf } from '../table/drift-row.js';
import type { Asker } from './connection.js';

export async function countUnknown(tx: Asker, run: number, event: EventOf<'unknown'>): Promise<void> {
  const { kind, field } = unknownOf(event);
  await tx.run(
    `insert into unknown_line (run, kind, field, count) values ($1, $2, $3, $4)
     on conflict (run, kind, field) do update set count = unknown_line.count + excluded.count`,
    ...[run, kind, field, lineCount(event)],
  );
}

export async function sumDrift(db: Asker, { since }: DriftQuery): Promise<Drift[]> {
  const rows = await db.all(
    `select run.agent, run.agent_version, kind, field, sum(count) as count, count(*) as runs, max(run.updated_at) as last_at
     from unknown_line join run on run.no = unknown_line.run
     where $1::bigint is null or run.updated_at >= $1
     group by 1, 2, 3, 4 order by 5 desc, agent collate "C", agent_version collate "C" nulls first, kind collate "C", field collate "C"`,
    since ?? null,
  );
  return rows.map(driftOf);
}
