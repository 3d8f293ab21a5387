/**
 * The tables, as numbered steps that are only ever added to. The file says in `user_version` which steps it has.
 *
 * An event's key is its run's number times 2^32 plus its `seq`: one integer, in the order in which events are read, that needs no
 * second index and tells the run of a search match without a look-up. Safe as a JavaScript number for two million runs.
 */
import { GlassboxError } from '../../event/index.js';
import { FLEET_TABLES } from '../fleet/tables.js';
import type { Connection } from './connection.js';
import { expectTidying, tidyLog } from './instruction-text.js';

export const RUN_SHIFT = 2 ** 32;

const STEPS: readonly string[] = [
  `
  create table session (
    no integer primary key,
    id text not null unique,
    forked_from integer,
    -- Set when its run turned out to continue another session; the id that people have seen keeps working.
    merged_into integer
  );

  create table run (
    no integer primary key autoincrement,
    id text not null unique,
    session integer not null,
    version integer not null,
    agent text not null,
    agent_session text, agent_version text, model text, cwd text, prompt text, title text,
    started_at integer not null, updated_at integer not null, ended_at integer,
    outcome text, error text,
    host text, pid integer, heartbeat_at integer,
    resumed_from integer, resumes text, source_state text,
    last_seq integer not null default 0, bytes integer not null default 0,
    usd real, origin text, reported text,
    input integer, output integer, cache_read integer, cache_write integer, thinking integer,
    turns integer not null default 0, tool_calls integer not null default 0
  );
  create index run_session on run (session, started_at);
  create index run_version on run (version);
  create index run_alive on run (heartbeat_at) where ended_at is null and heartbeat_at is not null;

  -- The number of the latest change; it never goes back, also not when runs are removed.
  create table change (version integer not null);
  insert into change values (0);

  create table agent_session (agent text, id text, run integer, primary key (id, agent, run)) without rowid;

  -- tool: of those that can be found by their words.
  create table event (id integer primary key, body text not null, tool text);

  create table spend (
    run integer, seq integer, model text, at integer not null, usd real, origin text,
    input integer, output integer, cache_read integer, cache_write integer, thinking integer,
    primary key (run, seq, model)
  ) without rowid;

  -- Quarters of an hour, because days begin at different times in different places.
  create table tool_use (
    run integer, quarter integer, name text,
    calls integer not null default 0, failed integer not null default 0, usd real,
    input real not null default 0, output real not null default 0,
    cache_read real not null default 0, cache_write real not null default 0, thinking real not null default 0,
    primary key (run, quarter, name)
  ) without rowid;

  create table approval (
    run integer, id text, seq integer not null, status text not null, answer text,
    primary key (run, id)
  ) without rowid;
  create index approval_pending on approval (run) where status = 'pending';

  create virtual table search using fts5 (
    prompt, text, thinking, input, output, tool,
    content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2'
  );
  `,
  // 2: merges of the search index seldom, but larger: a fifth less work for each write, and no slower to read.
  "insert into search (search, rank) values ('automerge', 16)",
  // 3: lines and fields that were not known, counted as they come, because a look at every event would take too long.
  `create table unknown_line (
    run integer, kind text, field text, count integer not null, primary key (run, kind, field)
  ) without rowid`,
  // 4: runs that are only read, from a pipe.
  'alter table run add column piped integer',
  // 5: which answer an approval has, and what became of it at the run.
  'alter table approval add column claim text; alter table approval add column reception text',
  // 6: what a run was started with, for whoever continues its session.
  'alter table run add column terms text',
  // 7: answers on their way apart from what is kept, so that they can be wiped.
  `pragma secure_delete = on;
  update approval set answer = null where answer is not null;
  alter table approval drop column answer;
  pragma secure_delete = off;
  create table said (claim text primary key, body text not null) without rowid`,
  // 8: figures of one ledger, which says what they leave out; tools by turn, so that they are asked for like everything else.
  `alter table run rename column reported to balance;
  alter table run add column lacks text;
  delete from spend;
  alter table spend drop column origin;
  drop table tool_use;
  create table tool_use (
    run integer, turn integer, name text, at integer not null,
    calls integer not null default 0, failed integer not null default 0, usd real,
    input real, output real, cache_read real, cache_write real, thinking real,
    primary key (run, turn, name)
  ) without rowid`,
  // 9: a row for each change, instead of one that every writer writes; the epoch of the claim under which a run is written.
  `drop index run_version;
  alter table run drop column version;
  drop table change;
  create table change (no integer primary key, run integer not null);
  alter table run add column epoch integer not null default 0;
  update run set epoch = 1 where heartbeat_at is not null`,
  // 10: one channel to the owner of a run. What was on its way came from a glassbox that can no longer use this file.
  `pragma secure_delete = on;
  drop table said;
  pragma secure_delete = off;
  create table said (id text primary key, body text not null) without rowid;
  create table instruction (
    no integer primary key, id text not null unique, run integer not null, approval text, status text not null, reception text
  );
  create index instruction_run on instruction (run, status);
  update approval set status = 'pending' where status in ('decided', 'taken');
  alter table approval drop column claim;
  alter table approval drop column reception`,
  // 11: a checksum of each event, to notice when the disk forgets.
  'alter table event add column sum integer',
  // 12: what a person calls a session and whether it is kept; what a run is called that nobody said anything to.
  `alter table session add column name text;
  alter table session add column pinned integer;
  alter table run add column opening text`,
  // 13: what it was spent for; the account's limits as an agent told them last.
  `create table cause_use (
    run integer, turn integer, cause text, at integer not null, calls integer not null default 0, usd real,
    input integer, output integer, cache_read integer, cache_write integer, thinking integer,
    primary key (run, turn, cause)
  ) without rowid;
  alter table run add column limits text`,
  // 14: for which project and whose a run is; what a fleet shares.
  `alter table run add column project text;
  alter table run add column principal text;
  ${FLEET_TABLES}`,
  // 15: when and where a question was settled, to list what was decided; a run that goes nowhere.
  `alter table approval add column settled integer;
  alter table approval add column settled_at integer;
  create index approval_settled on approval (settled_at) where status = 'resolved';
  alter table run add column stuck text`,
  // 16: what came too late for a run.
  'alter table run add column refused text',
  // 17: when a session that a person put away was last active; one that went on since is back.
  'alter table session add column archived_at integer',
];

/** What was counted before this version was counted by other rules, or less of it. */
const RECOUNTED = 13;

/** What was kept before this version has no `opening`. */
const OPENED = 12;

export const SCHEMA_VERSION = STEPS.length;

/** What is made anew from the events that an older file has. */
export interface Migrations {
  recount(db: Connection): void;
  findOpenings(db: Connection): void;
}

/** Brings the file to this version, in one transaction: it is either as it was or complete. */
export function migrate(db: Connection, { recount, findOpenings }: Migrations): void {
  if (versionOf(db) === SCHEMA_VERSION) return;
  if (db.readOnly) assertCurrentForReading(db);
  db.transaction(() => {
    const version = versionOf(db);
    assertNotNewer(version, db.path);
    for (const step of STEPS.slice(version)) db.exec(step);
    if (version < RECOUNTED) recount(db);
    if (version < OPENED) findOpenings(db);
    db.exec(`pragma user_version = ${SCHEMA_VERSION}`);
  });
  expectTidying(db);
  tidyLog(db);
}

/** To be called in each writing transaction: a newer glassbox may have changed the file since it was opened. */
export function assertCurrent(db: Connection): void {
  const version = versionOf(db);
  if (version !== SCHEMA_VERSION) assertNotNewer(version, db.path);
}

function assertCurrentForReading(db: Connection): never {
  const version = versionOf(db);
  assertNotNewer(version, db.path);
  throw new GlassboxError(
    'store',
    `The store ${db.path} was written by an older glassbox (format ${version}) and has to be brought up to date, but can only be read. Copy it to where you may write, and name that with --store.`,
  );
}

function versionOf(db: Connection): number {
  return Number(db.get('pragma user_version')?.user_version);
}

function assertNotNewer(version: number, path: string): void {
  if (version <= SCHEMA_VERSION) return;
  throw new GlassboxError(
    'store',
    `The store ${path} was written by a newer glassbox (format ${version}, this one knows ${SCHEMA_VERSION}). Update glassbox, or choose another place with --store.`,
  );
}
