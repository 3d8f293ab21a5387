/** Lines and fields that were not known, counted by run and summed up by the version of the agent. */
import { defined, type EventOf } from '../../event/index.js';
import type { Drift, DriftQuery } from '../query.js';
import type { Connection } from './connection.js';
import { text } from './row.js';

/** These are names; what is longer is none. */
const LONGEST = 120;

export function countUnknown(db: Connection, run: number, event: EventOf<'unknown'>): void {
  const { wireType, wireSubtype, field = '' } = event;
  const kind = wireSubtype === undefined ? wireType : `${wireType}/${wireSubtype}`;
  db.run(
    `insert into unknown_line (run, kind, field, count) values (?, ?, ?, 1)
     on conflict do update set count = count + 1`,
    ...[run, kind.slice(0, LONGEST), field.slice(0, LONGEST)],
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
  return rows.map((row) =>
    defined<Drift>({
      agent: String(row.agent),
      agentVersion: text(row.agent_version),
      kind: String(row.kind),
      field: row.field === '' ? undefined : text(row.field),
      count: Number(row.count),
      runs: Number(row.runs),
      lastAt: Number(row.last_at),
    }),
  );
}
