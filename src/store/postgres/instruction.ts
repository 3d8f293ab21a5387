/**
 * The channel to the owner of a run: anybody posts, the owner takes each instruction, and acknowledges what became of it.
 *
 * An instruction that nobody took can be withdrawn, so nothing is told to the agent that its teller believes lost. Of several answers
 * to one question the owner takes the first; the others hear that they are late.
 */
import type { Decider, Instruction, Reception } from '../../event/index.js';
import type { Told } from '../channel.js';
import type { Post } from '../shell/engine.js';
import { parsed, type Row, text } from '../table/row.js';
import { cannotTell } from '../table/tell-row.js';
import type { Asker } from './connection.js';
import { holdRun } from './run-row.js';
import type { Transaction } from './transaction.js';

/** Undefined when it is on its way. */
export async function post(tx: Transaction, { runId, id, instruction, from }: Post): Promise<Reception | undefined> {
  const run = await holdRun(tx, runId);
  if (!run) return { outcome: 'unknown' };
  const no = Number(run.no);
  const approval = instruction.type === 'answer' ? instruction.approval : null;
  // Whoever did not hear that it was taken posts it again.
  if (await tx.get('select 1 as one from instruction where id = $1', id)) return undefined;
  const refusal = cannotTell(run, approval === null ? 'pending' : await statusOf(tx, no, approval));
  if (refusal) return refusal;
  await tx.run(
    "insert into instruction (id, run, approval, status, body) values ($1, $2, $3, 'waiting', $4)",
    ...[id, no, approval, JSON.stringify({ instruction, from })],
  );
  tx.noteChange(no);
  return undefined;
}

/** For the teller; undefined while the owner has not said. */
export async function receptionOf(db: Asker, id: string): Promise<Reception | undefined> {
  const row = await db.get('select status, reception from instruction where id = $1', id);
  if (!row) return { outcome: 'gone' };
  return row.status === 'settled' ? (parsed<Reception>(String(row.reception)) ?? { outcome: 'gone' }) : undefined;
}

/** False when the owner has it already, and still lives to say what became of it. */
export async function withdraw(tx: Transaction, id: string): Promise<boolean> {
  const isBack = await tx.run(
    `delete from instruction where id = $1
       and (status = 'waiting' or (status = 'taken' and run in (select no from run where ended_at is not null)))`,
    id,
  );
  return isBack > 0;
}

/** Whether there is something for the owner. Looked for often and seldom found, so a look alone writes nothing. */
export async function isTold(db: Asker, runId: string): Promise<boolean> {
  const found = await db.get(
    `select 1 as one from instruction where run = (select no from run where id = $1) and status in ('waiting', 'taken') limit 1`,
    runId,
  );
  return found !== undefined;
}

/** For the owner: what waits for it, in the order in which it was told, and what it has not acknowledged: it may not have heard the reply. */
export async function take(tx: Transaction, run: Row): Promise<Told[]> {
  const rows = await tx.all(
    `with taken as (update instruction set status = 'taken' where run = $1 and status = 'waiting')
     select id, body from instruction where run = $1 and status in ('waiting', 'taken') order by no`,
    Number(run.no),
  );
  return rows.flatMap((row) => {
    const told = parsed<{ instruction: Instruction; from: Decider }>(String(row.body));
    return told ? [{ id: String(row.id), ...told }] : [];
  });
}

export async function acknowledge(tx: Transaction, run: Row, id: string, reception: Reception): Promise<void> {
  const no = Number(run.no);
  const taken = await tx.get(
    `update instruction set status = 'settled', reception = $1, body = null, settled_at = now_ms()
     where id = $2 and run = $3 and status = 'taken' returning approval`,
    ...[JSON.stringify(reception), id, no],
  );
  if (!taken) return;
  // It is answered for everybody at once; the event that says so is written a moment later.
  if (taken.approval !== null && reception.outcome === 'done') {
    await tx.run(
      "update approval set status = 'answered' where run = $1 and id = $2 and status = 'pending'",
      ...[no, taken.approval ?? ''],
    );
  }
  tx.noteChange(no);
}

/** A question is settled otherwise: answers that nobody took are late. */
export function settleAnswers(tx: Transaction, run: number, approval: string): Promise<number> {
  return settle(tx, 'late', "run = $1 and approval = $2 and status = 'waiting'", run, approval);
}

/** A run has ended; its owner may still have to say what became of what it took. */
export function settleWaiting(tx: Transaction, run: number): Promise<number> {
  return settle(tx, 'late', "run = $1 and status = 'waiting'", run);
}

/** The owner is gone, and nobody will say what became of what it took. */
export function settleAll(tx: Transaction, run: number): Promise<number> {
  return settle(tx, 'gone', "run = $1 and status in ('waiting', 'taken')", run);
}

export function deleteInstructions(tx: Transaction, run: number): Promise<number> {
  return tx.run('delete from instruction where run = $1', run);
}

function settle(
  tx: Transaction,
  outcome: 'late' | 'gone',
  which: string,
  ...values: (string | number)[]
): Promise<number> {
  return tx.run(
    `update instruction set status = 'settled', body = null, settled_at = now_ms(), reception = '${JSON.stringify({ outcome })}' where ${which}`,
    ...values,
  );
}

async function statusOf(db: Asker, run: number, approval: string): Promise<string | undefined> {
  return text((await db.get('select status from approval where run = $1 and id = $2', run, approval))?.status);
}
