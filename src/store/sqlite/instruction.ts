/**
 * The channel to the owner of a run: anybody posts, the owner takes each instruction once, and acknowledges what became of it.
 *
 * An instruction that nobody took can be withdrawn, so nothing is told to the agent that its teller believes lost. Of several answers
 * to one question the owner takes the first; the others hear that they are late.
 */
import type { Decider, Instruction, Reception } from '../../event/index.js';
import type { Told } from '../channel.js';
import type { Post } from '../shell/engine.js';
import { parsed, type Row, text } from '../table/row.js';
import { cannotTell } from '../table/tell-row.js';
import { noteChange } from './change.js';
import type { Connection } from './connection.js';
import { putInstructionText, wipeInstructionText } from './instruction-text.js';
import { findRun } from './run-row.js';

/** Undefined when it is on its way. */
export function post(db: Connection, { runId, id, instruction, from }: Post): Reception | undefined {
  const run = findRun(db, runId);
  if (!run) return { outcome: 'unknown' };
  const asked = instruction.type === 'answer' ? statusOf(db, run, instruction.approval) : 'pending';
  const refusal = cannotTell(run, asked);
  if (refusal) return refusal;
  const approval = instruction.type === 'answer' ? instruction.approval : null;
  // Whoever did not hear that it was taken posts it again.
  if (db.get('select 1 from instruction where id = ?', id)) return undefined;
  db.run(
    "insert into instruction (id, run, approval, status) values (?, ?, ?, 'waiting')",
    ...[id, Number(run.no), approval],
  );
  putInstructionText(db, id, JSON.stringify({ instruction, from }));
  noteChange(db, Number(run.no));
  return undefined;
}

/** For the teller; undefined while the owner has not said. Whoever heard it needs it no longer. */
export function receptionOf(db: Connection, id: string): Reception | undefined {
  const row = db.get('select status, reception from instruction where id = ?', id);
  if (!row) return { outcome: 'gone' };
  return row.status === 'settled' ? (parsed<Reception>(String(row.reception)) ?? { outcome: 'gone' }) : undefined;
}

const DAMAGED: Reception = { outcome: 'refused', code: 'store', reason: 'It was damaged on its way. Try again.' };

export function forget(db: Connection, id: string): void {
  db.run("delete from instruction where id = ? and status = 'settled'", id);
}

/** False when the owner has it already, and still lives to say what became of it. */
export function withdraw(db: Connection, id: string): boolean {
  const isBack = db.run(
    `delete from instruction where id = ?
       and (status = 'waiting' or (status = 'taken' and run in (select no from run where ended_at is not null)))`,
    id,
  );
  if (isBack === 0) return false;
  wipeInstructionText(db, 'id = ?', id);
  return true;
}

/** Whether there is something for the owner. Looked for often and seldom found, so a look alone writes nothing. */
export function isTold(db: Connection, runId: string): boolean {
  return Boolean(
    db.get(
      `select 1 from instruction join said on said.id = instruction.id
       where run = (select no from run where id = ?) and status in ('waiting', 'taken') limit 1`,
      runId,
    ),
  );
}

/**
 * For the owner: what waits for it, each once, in the order in which it was told. `isFar`: the owner may not hear the reply, so what it took
 * comes again until it is acknowledged.
 */
export function take(db: Connection, run: Row, isFar: boolean): Told[] {
  const rows = db.all(
    `select instruction.id, said.body from instruction join said on said.id = instruction.id
     where run = ? and status in ('waiting', 'taken') order by instruction.no`,
    Number(run.no),
  );
  return rows.flatMap((row) => {
    const id = String(row.id);
    const told = parsed<{ instruction: Instruction; from: Decider }>(String(row.body));
    db.run("update instruction set status = 'taken' where id = ?", id);
    // The owner has it now; nobody will ask for it again.
    if (!isFar) wipeInstructionText(db, 'id = ?', id);
    if (told) return [{ id, ...told }];
    acknowledge(db, run, id, DAMAGED);
    return [];
  });
}

export function acknowledge(db: Connection, run: Row, id: string, reception: Reception): void {
  const taken = db.get(
    "select approval from instruction where id = ? and run = ? and status = 'taken'",
    id,
    Number(run.no),
  );
  if (!taken) return;
  wipeInstructionText(db, 'id = ?', id);
  db.run("update instruction set status = 'settled', reception = ? where id = ?", JSON.stringify(reception), id);
  // It is answered for everybody at once; the event that says so is written a moment later.
  if (taken.approval !== null && reception.outcome === 'done') {
    db.run(
      "update approval set status = 'answered' where run = ? and id = ? and status = 'pending'",
      ...[Number(run.no), taken.approval ?? ''],
    );
  }
  noteChange(db, Number(run.no));
}

/** A question is settled otherwise: answers that nobody took are late. */
export function settleAnswers(db: Connection, run: number, approval: string): void {
  settle(db, 'late', "run = ? and approval = ? and status = 'waiting'", run, approval);
}

/** A run has ended; its owner may still have to say what became of what it took. */
export function settleWaiting(db: Connection, run: number): void {
  settle(db, 'late', "run = ? and status = 'waiting'", run);
}

/** The owner is gone, and nobody will say what became of what it took. */
export function settleAll(db: Connection, run: number): void {
  settle(db, 'gone', "run = ? and status in ('waiting', 'taken')", run);
}

export function deleteInstructions(db: Connection, run: number): void {
  wipeInstructionText(db, 'id in (select id from instruction where run = ?)', run);
  db.run('delete from instruction where run = ?', run);
}

function settle(db: Connection, outcome: 'late' | 'gone', which: string, ...values: (string | number)[]): void {
  if (!db.get(`select 1 from instruction where ${which} limit 1`, ...values)) return;
  wipeInstructionText(db, `id in (select id from instruction where ${which})`, ...values);
  db.run(
    `update instruction set status = 'settled', reception = '${JSON.stringify({ outcome })}' where ${which}`,
    ...values,
  );
}

function statusOf(db: Connection, run: Row, approval: string): string | undefined {
  return text(db.get('select status from approval where run = ? and id = ?', Number(run.no), approval)?.status);
}
