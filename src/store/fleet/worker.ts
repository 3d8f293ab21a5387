/** The workers that asked for work, as the store heard of them last. */
import type { WorkerOffer, WorkerRecord } from './job-record.js';
import { namesOf, rowsOf, type Sql, type SqlRow } from './sql.js';

export interface WorkerTable {
  /** It is here, and offers this. */
  note(offer: WorkerOffer): Promise<void>;
  /** By name. */
  list(): Promise<WorkerRecord[]>;
}

/** Whoever did not ask for so long is not here. */
const SILENT_MS = 60_000;
const FORGOTTEN_MS = 7 * 24 * 60 * 60 * 1000;

export function createWorkerTable(sql: Sql): WorkerTable {
  const { now } = sql.dialect;
  return {
    async note({ name, principal, labels, projects, agents, capacity, busy }) {
      const lists = [labels, projects, agents].map((names) => JSON.stringify(names));
      await sql.all([
        {
          sql: `insert into worker (name, principal, labels, projects, agents, capacity, busy, seen_at)
           values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ${now})
           on conflict (name) do update set principal = excluded.principal, labels = excluded.labels, projects = excluded.projects,
             agents = excluded.agents, capacity = excluded.capacity, busy = excluded.busy, seen_at = excluded.seen_at`,
          values: [name, principal, ...lists, capacity, busy],
        },
        { sql: `delete from worker where seen_at < ${now} - ${FORGOTTEN_MS}`, values: [] },
      ]);
    },
    async list() {
      // Who has as much as it can do asks for no more, and is known by what it holds.
      const held = `(select count(*) from job where job.worker = worker.name and job.holder = worker.principal
         and job.state in ('claimed', 'running') and job.lease_until > ${now}) as held`;
      const heard = `case when seen_at > ${now} - ${SILENT_MS} then 1 else 0 end as heard`;
      return (await rowsOf(sql, `select *, ${heard}, ${held} from worker order by name`)).map(workerOf);
    },
  };
}

function workerOf(row: SqlRow): WorkerRecord {
  return {
    name: String(row.name),
    labels: namesOf(row.labels) ?? [],
    projects: namesOf(row.projects) ?? [],
    agents: namesOf(row.agents) ?? [],
    capacity: Number(row.capacity),
    busy: Math.max(Number(row.busy), Number(row.held)),
    seenAt: Number(row.seen_at),
    isHere: Number(row.heard) === 1 || Number(row.held) > 0,
  };
}
