/** Both ends of an answer's way between processes: who gives it and waits, and who owns the run and takes it. */
import { randomUUID } from 'node:crypto';
import { GlassboxError } from '../../event/index.js';
import type { ApprovalAnswer, Decided, DecisionResult } from '../approval.js';
import type { Client } from './client.js';
import type { Mailbox } from './mailbox.js';

/** An owner looks ten times a second; one that has not looked for so long is stuck, or does not listen at all. */
const PATIENCE_MS = 10_000;

export async function decide(
  client: Client,
  runId: string,
  id: string,
  answer: ApprovalAnswer,
  mailbox: Mailbox,
): Promise<DecisionResult> {
  const claim = { runId, id, claimId: randomUUID() };
  let withdrawn = false;
  const withdraw = async () => {
    withdrawn = await client.call('withdrawClaim', claim).catch(() => false);
    if (withdrawn) mailbox.close();
  };
  const timer = setTimeout(() => void withdraw(), PATIENCE_MS);
  try {
    const claimed = await client.call('claim', claim, answer);
    if (claimed !== 'claimed') return claimed;
    for (;;) {
      const reception = await client.call('receptionOf', claim);
      if (withdrawn) return 'late';
      if (typeof reception === 'object') throw new GlassboxError('invalid-request', reception.refused);
      if (reception) return reception;
      await mailbox.wait();
    }
  } finally {
    clearTimeout(timer);
    mailbox.close();
  }
}

export async function* decisions(client: Client, runId: string, mailbox: Mailbox): AsyncGenerator<Decided> {
  try {
    while (!mailbox.closed()) {
      yield* await client.call('takeDecided', runId);
      await mailbox.wait();
    }
  } finally {
    mailbox.close();
  }
}
