/** Run records: how they begin and end, and to which session they belong. */
import { createHash } from 'node:crypto';
import type { RunStart } from '../record.js';
import type { Connection } from './connection.js';
import type { Row } from './driver.js';
import type { Self } from './owner.js';
import { RUN_SHIFT } from './schema.js';

export function findRun(db: Connection, runId: string): Row | undefined {
  return db.get('select * from run where id = ?', runId);
}

/** Gives the number of the run. Starting one that is there changes nothing, unless it is to be replaced. */
export function startRun(db: Connection, self: Self, start: RunStart): number {
  const known = findRun(db, start.runId);
  if (known) {
    if (start.replace) refill(db, Number(known.no));
    return Number(known.no);
  }
  const before = start.resumes === undefined ? undefined : latestRunOf(db, start.agent, start.resumes);
  const session = before && !start.fork ? Number(before.session) : createSession(db, start.runId, before);
  const owned = start.owned ?? true;
  const row = db.get(
    `insert into run (id, session, version, agent, agent_session, model, cwd, started_at, updated_at,
       host, pid, heartbeat_at, resumed_from, resumes, piped)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning no`,
    ...[start.runId, session, nextVersion(db), start.agent],
    start.fork ? null : (start.resumes ?? null),
    ...[start.model ?? null, start.cwd ?? null, start.startedAt, start.startedAt],
    ...(owned ? [self.host, self.pid, self.now()] : [null, null, null]),
    ...[before ? Number(before.no) : null, start.resumes ?? null, start.piped ? 1 : null],
  );
  const run = Number(row?.no);
  if (start.resumes !== undefined && !start.fork) addAgentSession(db, run, start.agent, start.resumes);
  return run;
}

/** Each change of a run gets a number that no change before it has, so that others can ask for what is new. */
export function nextVersion(db: Connection): number {
  db.run('update change set version = version + 1');
  return Number(db.get('select version from change')?.version);
}

export function touch(db: Connection, run: number): void {
  db.run('update run set version = ? where no = ?', nextVersion(db), run);
}

/** A run that shows the session id of an earlier one continues it, however it was started. */
export function addAgentSession(db: Connection, run: number, agent: string, id: string): void {
  const before = latestRunOf(db, agent, id);
  db.run('insert or ignore into agent_session (agent, id, run) values (?, ?, ?)', agent, id, run);
  const own = Number(db.get('select session from run where no = ?', run)?.session);
  if (!before || before.no === run || before.session === own) return;
  db.run(
    'update run set session = ?, resumed_from = coalesce(resumed_from, ?) where no = ?',
    before.session ?? 0,
    before.no ?? 0,
    run,
  );
  if (db.get('select 1 from run where session = ?', own)) return;
  db.run('update session set merged_into = ? where no = ?', before.session ?? 0, own);
}

export function latestRunOf(db: Connection, agent: string | undefined, agentSessionId: string): Row | undefined {
  return db.get(
    `select run.* from agent_session a join run on run.no = a.run
     where a.id = ?1 and a.agent = coalesce(?2, a.agent) order by run.started_at desc, run.no desc limit 1`,
    agentSessionId,
    agent ?? null,
  );
}

export function endRun(db: Connection, runId: string, sourceState: string | undefined): void {
  const copy = copyOf(db, runId, sourceState);
  if (copy) {
    deleteRun(db, Number(copy.no));
    db.run(
      'delete from session where no = ? and merged_into is null and no not in (select session from run)',
      copy.session ?? 0,
    );
    return;
  }
  db.run(
    `update run set ended_at = coalesce(ended_at, updated_at), source_state = ?, version = ?
     where id = ? and (ended_at is null or ?1 is not null)`,
    ...[sourceState ?? null, nextVersion(db), runId],
  );
}

export function deleteRun(db: Connection, run: number): void {
  deleteEvents(db, run);
  deleteCounts(db, run);
  db.run('delete from agent_session where run = ?', run);
  db.run('delete from run where no = ?', run);
}

/** The run, if it is an earlier one's stream again. */
function copyOf(db: Connection, runId: string, sourceState: string | undefined): Row | undefined {
  return db.get(
    `select run.* from run join run earlier on earlier.agent = run.agent and earlier.no < run.no
     where run.id = ? and run.piped and earlier.piped and earlier.source_state = ?`,
    runId,
    sourceState ?? null,
  );
}

function deleteEvents(db: Connection, run: number): void {
  const [from, to] = [run * RUN_SHIFT, (run + 1) * RUN_SHIFT];
  db.run('delete from search where rowid >= ? and rowid < ?', from, to);
  db.run('delete from event where id >= ? and id < ?', from, to);
}

/** What was made from its events. */
function deleteCounts(db: Connection, run: number): void {
  for (const table of ['spend', 'tool_use', 'approval', 'unknown_line'])
    db.run(`delete from ${table} where run = ?`, run);
}

function refill(db: Connection, run: number): void {
  deleteEvents(db, run);
  deleteCounts(db, run);
  db.run(
    'update run set last_seq = 0, bytes = 0, ended_at = null, outcome = null, source_state = null, version = ? where no = ?',
    ...[nextVersion(db), run],
  );
}

/** The short id is made from the run's, so that the same history imported elsewhere has the same ids. */
function createSession(db: Connection, runId: string, forkedFrom: Row | undefined): number {
  const letters = shortLetters(runId);
  for (let length = 6; ; length += 1) {
    const id = letters.slice(0, length);
    if (db.get('select 1 from session where id = ?', id)) continue;
    const row = db.get(
      'insert into session (id, forked_from) values (?, ?) returning no',
      id,
      forkedFrom?.session ?? null,
    );
    return Number(row?.no);
  }
}

/** No vowels, so that no words arise; no 0, 1, l, so that nothing is mistaken. */
const ALPHABET = '23456789bcdfghjkmnpqrstvwxz';

function shortLetters(seed: string): string {
  return [...createHash('sha256').update(seed).digest()].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
}
