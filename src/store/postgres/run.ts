/** Run records: how they begin and end, and to which session they belong. */
import type { RunStart } from '../record.js';
import { shortId } from '../short-id.js';
import { FIGURE_COLUMNS } from '../table/figure-row.js';
import { type Row, text } from '../table/row.js';
import { deleteInstructions, settleWaiting } from './instruction.js';
import { holdMonth, monthOf } from './month.js';
import { latestRunOf } from './run-row.js';
import type { Transaction } from './transaction.js';

/** Gives the row of the new run, which nobody owns yet. `requireIdle` throws when its session goes on. */
export async function createRun(
  tx: Transaction,
  start: RunStart,
  requireIdle?: (session: number) => Promise<void>,
): Promise<Row> {
  const { resumes } = start;
  if (resumes !== undefined) await lockConversation(tx, start.agent, resumes);
  const before = resumes === undefined ? undefined : await latestRunOf(tx, start.agent, resumes, start);
  if (start.alone && before && !start.fork) await requireIdle?.(Number(before.session));
  const session = before && !start.fork ? Number(before.session) : await createSession(tx, start.runId, before);
  const month = monthOf(start.startedAt);
  await holdMonth(tx, month);
  const row = await tx.get(
    `insert into run (no, id, session, agent, agent_session, model, cwd, started_at, updated_at,
       resumed_from, resumes, piped, terms, project, principal)
     values (($1::bigint << 32) + nextval('run_number'), $2, $3, $4, $5, $6, $7, $8, $8, $9, $10, $11, $12, $13, $14) returning *`,
    ...[month, start.runId, session, start.agent],
    start.fork ? null : (resumes ?? null),
    ...[start.model ?? null, start.cwd ?? null, start.startedAt],
    ...[before ? Number(before.no) : null, resumes ?? null, start.piped ? 1 : null],
    start.terms ? JSON.stringify(start.terms) : null,
    ...[start.project ?? null, start.principal ?? null],
  );
  const run = row ?? {};
  tx.noteChange(Number(run.no));
  if (resumes !== undefined && !start.fork) await addAgentSession(tx, Number(run.no), start.agent, resumes);
  return run;
}

/** A run that shows the session id of an earlier one continues it, however it was started. */
export async function addAgentSession(tx: Transaction, run: number, agent: string, id: string): Promise<void> {
  await lockConversation(tx, agent, id);
  const facts = await tx.get('select session, project from run where no = $1', run);
  const before = await latestRunOf(tx, agent, id, { project: text(facts?.project) });
  await tx.run('insert into agent_session (agent, id, run) values ($1, $2, $3) on conflict do nothing', agent, id, run);
  const own = Number(facts?.session);
  if (!before || before.no === run || before.session === own) return;
  await tx.run(
    'update run set session = $1, resumed_from = coalesce(resumed_from, $2) where no = $3',
    ...[Number(before.session), Number(before.no), run],
  );
  if (await tx.get('select 1 as one from run where session = $1 limit 1', own)) return;
  await tx.run('update session set merged_into = $1 where no = $2', Number(before.session), own);
  // What a person said of it holds for the whole.
  await tx.run(
    `update session set name = coalesce(session.name, own.name), pinned = coalesce(session.pinned, own.pinned),
       archived_at = coalesce(own.archived_at, session.archived_at)
     from session own where session.no = $1 and own.no = $2`,
    ...[Number(before.session), own],
  );
}

export async function endRun(tx: Transaction, run: Row, sourceState: string | undefined): Promise<void> {
  const no = Number(run.no);
  await tx.run(
    `update run set ended_at = coalesce(ended_at, updated_at), source_state = $1
     where no = $2 and (ended_at is null or $1::text is not null)`,
    ...[sourceState ?? null, no],
  );
  await settleWaiting(tx, no);
  tx.noteChange(no);
}

/** With its session, if that has no other. */
export async function removeRun(tx: Transaction, { no, session }: Row): Promise<void> {
  await deleteRun(tx, Number(no));
  await tx.run(
    `delete from session where no = $1 and merged_into is null and not exists (select 1 from run where run.session = $1)`,
    Number(session),
  );
}

export async function deleteRun(tx: Transaction, run: number): Promise<void> {
  await deleteEvents(tx, run);
  await deleteCounts(tx, run);
  await tx.run('delete from agent_session where run = $1', run);
  await tx.run('delete from run where no = $1', run);
}

async function deleteEvents(tx: Transaction, run: number): Promise<void> {
  for (const table of ['doc', 'event']) await tx.run(`delete from ${table} where run = $1`, run);
}

/** What was made from its events. */
async function deleteCounts(tx: Transaction, run: number): Promise<void> {
  await deleteInstructions(tx, run);
  for (const table of ['spend', 'tool_use', 'cause_use', 'approval', 'unknown_line'])
    await tx.run(`delete from ${table} where run = $1`, run);
}

/** Empties a run, to fill it again. */
export async function emptyRun(tx: Transaction, run: number): Promise<void> {
  await deleteEvents(tx, run);
  await deleteCounts(tx, run);
  const figures = FIGURE_COLUMNS.map((column) => `${column} = null`).join(', ');
  await tx.run(
    `update run set last_seq = 0, bytes = 0, ended_at = null, outcome = null, source_state = null, title = null, prompt = null, opening = null,
       error = null, turns = 0, tool_calls = 0, limits = null, stuck = null, ${figures}
     where no = $1`,
    run,
  );
  tx.noteChange(run);
}

/** Two runs of one conversation that begin at the same moment must not become two sessions. */
async function lockConversation(tx: Transaction, agent: string, id: string): Promise<void> {
  await tx.get('select pg_advisory_xact_lock(hashtextextended($1, 0)) is null as locked', `${agent} ${id}`);
}

async function createSession(tx: Transaction, runId: string, forkedFrom: Row | undefined): Promise<number> {
  const shortest = shortId(runId, () => false);
  const taken = await tx.all('select id from session where starts_with(id, $1)', shortest);
  const known = new Set(taken.map((row) => String(row.id)));
  const id = shortId(runId, (candidate) => known.has(candidate));
  const row = await tx.get(
    'insert into session (id, forked_from) values ($1, $2) returning no',
    ...[id, forkedFrom === undefined ? null : Number(forkedFrom.session)],
  );
  return Number(row?.no);
}
