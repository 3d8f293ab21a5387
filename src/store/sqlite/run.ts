/** Run records: how they begin and end, and to which session they belong. */
import { GlassboxError } from '../../event/index.js';
import type { RunStart } from '../record.js';
import { shortId } from '../short-id.js';
import { FIGURE_COLUMNS } from '../table/figure-row.js';
import { type Row, text } from '../table/row.js';
import { noteChange } from './change.js';
import type { Connection } from './connection.js';
import { deleteInstructions, settleWaiting } from './instruction.js';
import { latestRunOf } from './run-row.js';
import { RUN_SHIFT } from './schema.js';

/** Gives the new run, which nobody owns yet. `requireIdle` throws when its session goes on. */
export function createRun(db: Connection, start: RunStart, requireIdle?: (session: number) => void): Row {
  const before = start.resumes === undefined ? undefined : latestRunOf(db, start.agent, start.resumes, start);
  if (start.alone && before && !start.fork) requireIdle?.(Number(before.session));
  const session = before && !start.fork ? Number(before.session) : createSession(db, start.runId, before);
  const row = db.get(
    `insert into run (id, session, agent, agent_session, model, cwd, started_at, updated_at,
       resumed_from, resumes, piped, terms, project, principal)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *`,
    ...[start.runId, session, start.agent],
    start.fork ? null : (start.resumes ?? null),
    ...[start.model ?? null, start.cwd ?? null, start.startedAt, start.startedAt],
    ...[before ? Number(before.no) : null, start.resumes ?? null, start.piped ? 1 : null],
    start.terms ? JSON.stringify(start.terms) : null,
    ...[start.project ?? null, start.principal ?? null],
  );
  if (!row) throw new GlassboxError('store', `The run "${start.runId}" could not be made.`);
  noteChange(db, Number(row.no));
  if (start.resumes !== undefined && !start.fork) addAgentSession(db, row, start.resumes);
  return row;
}

/** A run that shows the session id of an earlier one continues it, however it was started. */
export function addAgentSession(db: Connection, { no, agent, project }: Row, id: string): void {
  const run = Number(no);
  const before = latestRunOf(db, String(agent), id, { project: text(project) });
  db.run('insert or ignore into agent_session (agent, id, run) values (?, ?, ?)', String(agent), id, run);
  if (!before || before.no === run) return;
  const own = Number(db.get('select session from run where no = ?', run)?.session);
  if (before.session === own) return;
  db.run(
    'update run set session = ?, resumed_from = coalesce(resumed_from, ?) where no = ?',
    before.session ?? 0,
    before.no ?? 0,
    run,
  );
  if (db.get('select 1 from run where session = ?', own)) return;
  db.run('update session set merged_into = ? where no = ?', before.session ?? 0, own);
  // What a person said of it holds for the whole.
  db.run(
    `update session set name = coalesce(session.name, own.name), pinned = coalesce(session.pinned, own.pinned),
       archived_at = coalesce(own.archived_at, session.archived_at)
     from session own where session.no = ? and own.no = ?`,
    ...[before.session ?? 0, own],
  );
}

export function endRun(db: Connection, run: Row, sourceState: string | undefined): void {
  const no = Number(run.no);
  db.run(
    `update run set ended_at = coalesce(ended_at, updated_at), source_state = ?
     where no = ? and (ended_at is null or ?1 is not null)`,
    ...[sourceState ?? null, no],
  );
  settleWaiting(db, no);
  noteChange(db, no);
}

/** With its session, if that has no other. */
export function removeRun(db: Connection, { no, session }: Row): void {
  deleteRun(db, Number(no));
  db.run(
    'delete from session where no = ? and merged_into is null and no not in (select session from run)',
    session ?? 0,
  );
}

export function deleteRun(db: Connection, run: number): void {
  deleteEvents(db, run);
  deleteCounts(db, run);
  db.run('delete from agent_session where run = ?', run);
  db.run('delete from run where no = ?', run);
}

function deleteEvents(db: Connection, run: number): void {
  const [from, to] = [run * RUN_SHIFT, (run + 1) * RUN_SHIFT];
  db.run('delete from search where rowid >= ? and rowid < ?', from, to);
  db.run('delete from event where id >= ? and id < ?', from, to);
}

/** What was made from its events. */
function deleteCounts(db: Connection, run: number): void {
  deleteInstructions(db, run);
  for (const table of ['spend', 'tool_use', 'cause_use', 'approval', 'unknown_line'])
    db.run(`delete from ${table} where run = ?`, run);
}

/** Empties a run, to fill it again. */
export function emptyRun(db: Connection, run: number): void {
  deleteEvents(db, run);
  deleteCounts(db, run);
  db.run(EMPTY, run);
  noteChange(db, run);
}

const EMPTY = `update run set last_seq = 0, bytes = 0, ended_at = null, outcome = null, source_state = null, title = null, prompt = null,
  opening = null, error = null, turns = 0, tool_calls = 0, limits = null, stuck = null, ${FIGURE_COLUMNS.map((column) => `${column} = null`).join(', ')}
  where no = ?`;

function createSession(db: Connection, runId: string, forkedFrom: Row | undefined): number {
  const id = shortId(runId, (taken) => db.get('select 1 from session where id = ?', taken) !== undefined);
  const row = db.get(
    'insert into session (id, forked_from) values (?, ?) returning no',
    id,
    forkedFrom?.session ?? null,
  );
  return Number(row?.no);
}
