// What anybody tells the owner of a run: each instruction is taken once, and what became of it comes back.
import { randomUUID } from 'node:crypto';
import { hasEnded, tellChange } from './memory.mjs';

/** An owner that takes nothing for so long does not listen. */
const PATIENCE_MS = 10_000;

export async function tell(memory, run, instruction, from, { patienceMs = PATIENCE_MS, signal }) {
  const refusal = cannotTell(run, instruction);
  if (refusal) return refusal;
  const told = { id: randomUUID(), instruction: structuredClone(instruction), from, isTaken: false };
  const reception = new Promise((resolve) => {
    told.settle = (outcome) => {
      run.told = run.told.filter((other) => other !== told);
      resolve(outcome);
    };
  });
  const takeBack = () => !told.isTaken && told.settle({ outcome: 'gone' });
  const timer = setInterval(takeBack, patienceMs);
  signal.addEventListener('abort', takeBack, { once: true });
  run.told.push(told);
  tellChange(memory, run);
  return reception.finally(() => {
    clearInterval(timer);
    signal.removeEventListener('abort', takeBack);
  });
}

function cannotTell(run, instruction) {
  if (!run) return { outcome: 'unknown' };
  if (run.start.piped)
    return { outcome: 'refused', code: 'conflict', reason: 'This run was piped in: it only is read.' };
  const asked = instruction.type === 'answer' ? run.approvals.get(instruction.approval)?.status : 'pending';
  if (asked === undefined) return { outcome: 'unknown' };
  if (hasEnded(run)) return { outcome: run.isInterrupted || !run.owner ? 'gone' : 'late' };
  return asked === 'pending' ? undefined : { outcome: 'late' };
}

/** Each once, in the order in which it was told. */
export function take(run) {
  const waiting = run.told.filter(({ isTaken }) => !isTaken);
  for (const told of waiting) told.isTaken = true;
  return waiting.map(({ id, instruction, from }) => ({ id, instruction, from }));
}

export const isTold = (run) => run?.told.some(({ isTaken }) => !isTaken) ?? false;

export function acknowledge(memory, run, id, reception) {
  const told = run.told.find((other) => other.id === id && other.isTaken);
  if (!told) return;
  const approval = told.instruction.type === 'answer' ? run.approvals.get(told.instruction.approval) : undefined;
  if (approval && reception.outcome === 'done') approval.status = 'answered';
  told.settle(reception);
  tellChange(memory, run);
}

/** What events mean for the questions of a run, and for what is on its way to it. */
export function followEvents(run, events) {
  if (run.start.piped) return;
  for (const event of events) {
    const { type, id } = event;
    if (type === 'approval-request' && !run.approvals.has(id))
      run.approvals.set(id, { request: event, status: 'pending' });
    if (type === 'approval-resolve' || type === 'approval-withdraw') {
      const approval = run.approvals.get(id);
      if (approval) approval.status = 'settled';
      if (approval && type === 'approval-resolve') approval.resolution = event;
      settle(run, 'late', ({ instruction }) => instruction.approval === id);
    }
    if (type === 'run-end') settleAll(run, 'late');
  }
}

/** Nobody will answer any more. `gone` when the owner is: then also what it took is lost. */
export function settleAll(run, outcome) {
  for (const approval of run.approvals.values()) approval.status = 'settled';
  settle(run, outcome, () => true);
}

function settle(run, outcome, isMeant) {
  for (const told of run.told) if (isMeant(told) && (outcome === 'gone' || !told.isTaken)) told.settle({ outcome });
}
