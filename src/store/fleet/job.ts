/**
 * Jobs: each is claimed by one worker at a time, under a lease and a fence. Each step is one statement that says from which state it may be taken,
 * so that of two who try one alone succeeds, in SQLite by its one writer and in Postgres by the lock of the row. Times are those of the
 * database. A worker that falls silent loses its job: one that was not begun waits again, one whose tools may have run is lost, unless it
 * may be run again.
 */
import { defined } from '../../event/index.js';
import { type OptionNames, refuseUnknown } from '../../event/option.js';
import type { Page } from '../query.js';
import type { ClaimedJob, JobHold, JobRecord, JobSpec, JobState, NewJob, WorkerOffer } from './job-record.js';
import { listOf, namesOf, numberOf, rowsOf, type Sql, type SqlRow, type SqlStatement, textOf } from './sql.js';

export interface JobQuery {
  state?: JobState | undefined;
  /** Only of these projects. */
  projects?: readonly string[] | undefined;
  principal?: string | undefined;
  /** Default 100. */
  limit?: number | undefined;
}

/** What budgets go by. */
export type JobKind = Pick<JobRecord, 'project' | 'principal'>;

export interface JobTable {
  post(job: NewJob): Promise<JobRecord>;
  find(id: string): Promise<JobRecord | undefined>;
  /** The latest first. */
  list(query?: JobQuery): Promise<Page<JobRecord>>;
  /** Whether anything waits for a worker. */
  isWaiting(): Promise<boolean>;
  /** The oldest job that fits, for this worker alone. */
  claim(offer: WorkerOffer, leaseMs: number): Promise<ClaimedJob | undefined>;
  /** From now on tools may run. False when the worker must not: it lost the job, or somebody cancelled it. */
  begin(hold: JobHold, runId: string, leaseMs: number): Promise<boolean>;
  /** The worker lives. Gives what of these it still holds, and whether somebody wants it to end. */
  beat(holds: readonly JobHold[], leaseMs: number): Promise<{ id: string; cancelled: boolean }[]>;
  /** The run has ended, and all of it is kept. False when the job is no longer this worker's. */
  end(hold: JobHold, outcome: string): Promise<boolean>;
  /** The worker will not do it, and says why. */
  refuse(hold: JobHold, reason: string): Promise<boolean>;
  /** The worker died with it. Whether it waits again is for its policy. `refusedRun`: its own run, of which events came too late, says the reason too. */
  lose(hold: JobHold, reason: string, refusedRun?: string): Promise<boolean>;
  /** What nobody began ends at once, the rest when its worker hears of it. Undefined when it is over. */
  cancel(id: string): Promise<JobRecord | undefined>;
  /** Whose work for what is in this state: as many as there are kinds of it, however many jobs. */
  kinds(state: JobState): Promise<JobKind[]>;
  /** All of this kind that wait for a worker. */
  park(kind: JobKind, reason: string): Promise<void>;
  unpark(kind: JobKind): Promise<void>;
  /** The worker has it and must not begin: it is parked, and this was no attempt. */
  giveBack(hold: JobHold, reason: string): Promise<boolean>;
  /** Takes the jobs of silent workers from them; gives those that changed. */
  reap(): Promise<JobRecord[]>;
}

const PAGE = 100;
const NAMES: OptionNames<JobQuery> = { state: true, projects: true, principal: true, limit: true };
/** Whoever takes a job and dies before it is begun may take the worker with it. */
const MOST_ATTEMPTS = 5;
const SILENT = 'Its worker fell silent.';

/** Where a job goes that its worker no longer has. */
const RELEASED = `case
  when cancelled_at is not null then 'cancelled'
  when state in ('running', 'lost') and again = 0 then 'lost'
  when attempt >= ${MOST_ATTEMPTS} then 'lost'
  else 'waiting' end`;

export function createJobTable(sql: Sql): JobTable {
  const { now, skipLocked } = sql.dialect;
  /** Parameters 1 to 3: what the worker says of its hold. */
  const isHolder = 'id = ?1 and fence = ?2 and (cast(?3 as text) is null or holder = ?3)';
  const held = `${isHolder} and state in ('claimed', 'running', 'lost')`;

  /** The states in the text are those before it: every database computes all new values from the old row. */
  const released = (where: string, reason: string) => `update job set
      state = ${RELEASED},
      spec = case when ${RELEASED} = 'waiting' then spec end,
      ended_at = case when ${RELEASED} = 'waiting' then null else ${now} end,
      reason = case when ${RELEASED} = 'waiting' then null else cast(${reason} as text) end,
      lease_until = null
    where ${where} returning *`;

  const find = async (id: string): Promise<JobRecord | undefined> => {
    const [row] = await rowsOf(sql, 'select * from job where id = ?1', id);
    return row && jobOf(row);
  };

  const succeeds = async (text: string, ...values: SqlStatement['values']): Promise<boolean> =>
    (await sql.all([{ sql: text, values }]))[0]?.length === 1;

  return {
    async post({ id, spec, project, principal, labels = [], host, again = false, parked }) {
      const [rows] = await sql.all([
        {
          sql: `insert into job (id, state, project, principal, agent, spec, host, labels, again, created_at, fence, attempt, reason)
           values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ${now}, 0, 0, ?10) returning *`,
          values: [
            ...[id, parked === undefined ? 'waiting' : 'parked', project, principal, spec.agent, JSON.stringify(spec)],
            ...[host ?? null, JSON.stringify(labels), again ? 1 : 0, parked ?? null],
          ],
        },
        ...[...new Set(labels)].map((label) => ({
          sql: 'insert into job_label (job, label) values (?1, ?2)',
          values: [id, label],
        })),
      ]);
      return jobOf(rows?.[0] ?? {});
    },
    find,
    async list(query) {
      refuseUnknown('jobs.list', query, NAMES);
      const { state, projects, principal, limit = PAGE } = query ?? {};
      const among = projects ? `and project in ${listOf(projects, 4)}` : '';
      const rows = await rowsOf(
        sql,
        `select * from job where (cast(?1 as text) is null or state = ?1) and (cast(?2 as text) is null or principal = ?2) ${among}
         order by created_at desc, id desc limit ?3`,
        ...[state ?? null, principal ?? null, limit, ...(projects ?? [])],
      );
      return { items: rows.map(jobOf) };
    },
    async isWaiting() {
      return (await rowsOf(sql, "select 1 as found from job where state = 'waiting' limit 1")).length > 0;
    },
    async claim({ name, principal: holder, labels, projects, agents }, leaseMs) {
      const lists = { projects: 4, agents: 4 + projects.length, labels: 4 + projects.length + agents.length };
      const [row] = await rowsOf(
        sql,
        `update job set state = 'claimed', fence = fence + 1, attempt = attempt + 1, worker = ?1, holder = ?3, lease_until = ${now} + cast(?2 as bigint),
           run = null
         where id = (
           select id from job where state = 'waiting' and (host is null or host = ?1)
             and project in ${listOf(projects, lists.projects)} and agent in ${listOf(agents, lists.agents)}
             and not exists (select 1 from job_label where job_label.job = job.id
               ${labels.length > 0 ? `and label not in ${listOf(labels, lists.labels)}` : ''})
           order by created_at, id limit 1 ${skipLocked})
         returning *`,
        ...[name, leaseMs, holder, ...projects, ...agents, ...labels],
      );
      if (!row) return undefined;
      const { id, fence, spec, project, principal, again } = row;
      const hold = { id: String(id), fence: Number(fence) };
      return {
        ...hold,
        spec: JSON.parse(String(spec)) as JobSpec,
        project: String(project),
        principal: String(principal),
        again: Number(again) === 1,
      };
    },
    async begin(hold, runId, leaseMs) {
      // Said twice, because the first reply was lost, it is the same.
      const [rows = []] = await sql.all([
        {
          sql: `update job set state = 'running', run = ?4, lease_until = ${now} + cast(?5 as bigint)
             where ${isHolder} and (state = 'claimed' or (state = 'running' and run = ?4)) and cancelled_at is null returning id`,
          values: [...holdValues(hold), runId, leaseMs],
        },
        {
          sql: `insert into job_run (run, job, principal) select run, id, principal from job where id = ?1 and run = ?2
             on conflict (run) do nothing`,
          values: [hold.id, runId],
        },
      ]);
      return rows.length === 1;
    },
    async beat(holds, leaseMs) {
      // One that was taken for lost goes on: nobody else was given it.
      const rows = await sql.all(
        holds.map((hold) => ({
          sql: `update job set lease_until = ${now} + cast(?4 as bigint), state = case when state = 'lost' then 'running' else state end,
             ended_at = null, reason = null
           where ${held} returning id, cancelled_at`,
          values: [...holdValues(hold), leaseMs],
        })),
      );
      return rows.flat().map((row) => ({ id: String(row.id), cancelled: row.cancelled_at !== null }));
    },
    end: (hold, outcome) =>
      succeeds(
        `update job set state = 'ended', outcome = ?4, reason = null, ended_at = ${now}, lease_until = null, spec = null
         where ${held} returning id`,
        ...[...holdValues(hold), outcome],
      ),
    refuse: (hold, reason) =>
      succeeds(
        `update job set state = 'refused', reason = ?4, ended_at = ${now}, lease_until = null, spec = null
         where ${isHolder} and state = 'claimed' returning id`,
        ...[...holdValues(hold), reason],
      ),
    async lose(hold, reason, run) {
      const { id, by } = hold;
      const [rows = []] = await sql.all([
        {
          sql: released(`${isHolder} and state in ('claimed', 'running', 'lost')`, '?4'),
          values: [...holdValues(hold), reason],
        },
        {
          // Also where the job is another's by now: the run is that of who says it.
          sql: `update run set refused = ?1 where id = cast(?2 as text) and (cast(?3 as text) is null or principal = ?3)
             and exists (select 1 from job_run where job_run.run = run.id and job_run.job = ?4)`,
          values: [reason, run ?? null, by ?? null, id],
        },
      ]);
      return rows.length > 0;
    },
    async cancel(id) {
      const [, rows] = await sql.all([
        {
          sql: `update job set cancelled_at = ${now} where id = ?1 and state in ('claimed', 'running') returning id`,
          values: [id],
        },
        {
          sql: `update job set state = 'cancelled', cancelled_at = ${now}, ended_at = ${now}, spec = null
           where id = ?1 and state in ('waiting', 'parked') returning id`,
          values: [id],
        },
      ]);
      const job = await find(id);
      return (rows?.length ?? 0) > 0 || job?.cancelled ? job : undefined;
    },
    async kinds(state) {
      const rows = await rowsOf(sql, 'select distinct project, principal from job where state = ?1', state);
      return rows.map(({ project, principal }) => ({ project: String(project), principal: String(principal) }));
    },
    async park({ project, principal }, reason) {
      const parked = `update job set state = 'parked', reason = ?3 where state = 'waiting' and project = ?1 and principal = ?2`;
      await rowsOf(sql, parked, project, principal, reason);
    },
    async unpark({ project, principal }) {
      const letGo = `update job set state = 'waiting', reason = null where state = 'parked' and project = ?1 and principal = ?2`;
      await rowsOf(sql, letGo, project, principal);
    },
    giveBack: (hold, reason) =>
      succeeds(
        `update job set state = case when cancelled_at is null then 'parked' else 'cancelled' end, reason = ?4, attempt = attempt - 1,
           lease_until = null, ended_at = case when cancelled_at is null then null else ${now} end,
           spec = case when cancelled_at is null then spec end
         where ${isHolder} and state = 'claimed' returning id`,
        ...[...holdValues(hold), reason],
      ),
    async reap() {
      return (
        await rowsOf(sql, released(`state in ('claimed', 'running') and lease_until < ${now}`, '?1'), SILENT)
      ).map(jobOf);
    },
  };
}

const holdValues = ({ id, fence, by }: JobHold) => [id, fence, by ?? null] as const;

function jobOf(row: SqlRow): JobRecord {
  return defined<JobRecord>({
    id: String(row.id),
    state: String(row.state) as JobState,
    project: String(row.project),
    principal: String(row.principal),
    agent: String(row.agent),
    labels: namesOf(row.labels) ?? [],
    host: textOf(row.host),
    again: Number(row.again) === 1 ? true : undefined,
    createdAt: Number(row.created_at),
    attempt: Number(row.attempt),
    worker: textOf(row.worker),
    runId: textOf(row.run),
    outcome: textOf(row.outcome),
    reason: textOf(row.reason),
    endedAt: numberOf(row.ended_at),
    cancelled: row.cancelled_at === null ? undefined : true,
  });
}
