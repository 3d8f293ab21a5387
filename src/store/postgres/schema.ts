/**
 * The tables, as numbered steps that are only ever added to. The database says which steps it has; a step and a write never happen at
 * the same time, so that glassboxes of different versions agree or refuse.
 *
 * A run's number is the month in which it began times 2^32 plus a counter. So events have the key `(run, seq)`, those of a month are one
 * partition, and a month of which nothing is kept any more is dropped at once.
 */
import { GlassboxError } from '../../event/index.js';
import { FLEET_TABLES, LOGIN_TABLES } from '../fleet/tables.js';
import type { Row } from '../table/row.js';
import type { Address } from './address.js';
import { FIGURES, USAGE } from './columns.js';
import type { Database } from './connection.js';

export const RUN_SHIFT = 2 ** 32;

const STEPS: readonly string[] = [
  `
  create function now_ms() returns bigint language sql volatile
    as 'select (extract(epoch from clock_timestamp()) * 1000)::bigint';

  create table session (
    no bigint generated always as identity primary key,
    id text collate "C" not null unique,
    forked_from bigint,
    -- Set when its run turned out to continue another session; the id that people have seen keeps working.
    merged_into bigint,
    name text, pinned integer
  );
  create index session_merged on session (merged_into) where merged_into is not null;

  create sequence run_number;
  create table run (
    no bigint primary key,
    id text collate "C" not null unique,
    session bigint not null,
    agent text not null,
    agent_session text, agent_version text, model text, cwd text, prompt text, title text, opening text,
    started_at bigint not null, updated_at bigint not null, ended_at bigint,
    outcome text, error text,
    host text, pid integer, holder text, heartbeat_at bigint, epoch integer not null default 0,
    resumed_from bigint, resumes text, source_state text, piped integer, terms text, project text, principal text,
    last_seq integer not null default 0, bytes bigint not null default 0,
    ${FIGURES},
    turns integer not null default 0, tool_calls integer not null default 0, limits text, stuck text
  ) with (fillfactor = 60);
  create index run_session on run (session, started_at);
  create index run_alive on run (heartbeat_at) where ended_at is null and heartbeat_at is not null;

  create table agent_session (agent text, id text, run bigint, primary key (id, agent, run));
  create index agent_session_run on agent_session (run);

  create table event (run bigint, seq integer, body text not null, primary key (run, seq)) partition by range (run);
  create table doc (
    run bigint, seq integer, field smallint not null, tool text, words tsvector not null, primary key (run, seq)
  ) partition by range (run);
  create index doc_words on doc using gin (words);

  create table spend (run bigint, seq integer, model text, at bigint not null, ${USAGE}, primary key (run, seq, model));
  create table tool_use (
    run bigint, turn integer, name text, at bigint not null,
    calls integer not null default 0, failed integer not null default 0, ${USAGE}, primary key (run, turn, name)
  );
  create table cause_use (
    run bigint, turn integer, cause text, at bigint not null, calls integer not null default 0, ${USAGE},
    primary key (run, turn, cause)
  );

  create table approval (
    run bigint, id text, seq integer not null, status text not null, settled integer, settled_at bigint, primary key (run, id)
  );
  create index approval_settled on approval (settled_at) where status = 'resolved';
  create index approval_pending on approval (run) where status = 'pending';

  -- body: the exact instruction, from when it is told until it is acknowledged or nobody will.
  create table instruction (
    no bigint generated always as identity primary key, id text not null unique, run bigint not null, approval text,
    status text not null, body text, reception text, settled_at bigint
  );
  create index instruction_run on instruction (run, status);

  create table unknown_line (run bigint, kind text, field text, count integer not null, primary key (run, kind, field));

  -- Which runs changed, for a short time: what a notification did not bring is found here.
  create table change (xid xid8 not null default pg_current_xact_id(), run bigint not null, at bigint not null default now_ms());
  create index change_xid on change (xid);
  ${FLEET_TABLES}
  `,
  // 2: browsers that all hubs know; what came too late for a run.
  `${LOGIN_TABLES}
  alter table run add column refused text`,
  // 3: when a session that a person put away was last active; one that went on since is back.
  'alter table session add column archived_at bigint',
];

const VERSION = STEPS.length;

/** What a transaction begins with: nobody changes the tables meanwhile, and they are those that we know. */
export function beginningOf(address: Address) {
  return {
    sql: `select pg_advisory_xact_lock_shared(${lockOf(address)}) is null as locked; select version from format`,
    check(rows: readonly Row[]): void {
      const { version } = rows.at(-1) ?? {};
      if (version !== VERSION) refuse(Number(version), address);
    },
  };
}

/** Makes the tables, or brings them to this version: all of it or nothing, and one process alone. */
export async function migrate(address: Address, connect: Database['connect']): Promise<void> {
  const client = await connect();
  const rows = async (sql: string) => (await client.query(sql)).rows;
  try {
    if ((await versionIn(rows)) === VERSION) return;
    await client.query('begin');
    await rows(`select pg_advisory_xact_lock(${lockOf(address)}) is null`);
    await client.query(`create schema if not exists ${address.schema}`);
    await client.query('create table if not exists format (version integer not null)');
    const version = (await versionIn(rows)) ?? 0;
    if (version > VERSION) refuse(version, address);
    for (const step of STEPS.slice(version)) await client.query(step);
    await client.query(`delete from format; insert into format values (${VERSION})`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Undefined when there are no tables yet. */
async function versionIn(rows: (sql: string) => Promise<Row[]>): Promise<number | undefined> {
  const [found] = await rows("select to_regclass('format')::text as name");
  if (found?.name === null) return undefined;
  const [row] = await rows('select version from format');
  return row === undefined ? undefined : Number(row.version);
}

function refuse(version: number, { shown }: Address): never {
  throw new GlassboxError(
    'store',
    version > VERSION
      ? `The store ${shown} was written by a newer glassbox (format ${version}, this one knows ${VERSION}). Update this glassbox.`
      : `The store ${shown} is of another format (${version}) than this glassbox opened. Start glassbox again.`,
  );
}

/** A number for what happens to one schema. */
function lockOf({ schema }: Address): number {
  let hash = 0x67_6c_61_73;
  for (const letter of schema) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return hash;
}
