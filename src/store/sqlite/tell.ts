/** Both ends of an instruction's way between processes: who tells it and waits, and who owns the run and takes it. */
import { randomUUID } from 'node:crypto';
import type { Decider, Instruction, Reception } from '../../event/index.js';
import type { Told } from '../channel.js';
import type { ChangeQueue } from './change-queue.js';
import type { Client } from './client.js';

export interface Telling {
  runId: string;
  instruction: Instruction;
  from: Decider;
  patienceMs: number;
}

export async function tell(client: Client, telling: Telling, queue: ChangeQueue): Promise<Reception> {
  const { patienceMs, ...told } = telling;
  const id = randomUUID();
  let timer: NodeJS.Timeout | undefined;
  let isBack = false;
  try {
    const refusal = await client.call('post', { id, ...told });
    if (refusal) return refusal;
    timer = setInterval(() => void withdraw(), patienceMs);
    for (;;) {
      const reception = await client.call('receptionOf', id);
      if (isBack) return { outcome: 'gone' };
      if (reception) return reception;
      await queue.wait();
      // The store was closed here; the owner may still have taken it.
      if (queue.closed() && !isBack) return { outcome: 'gone' };
    }
  } finally {
    clearInterval(timer);
    queue.close();
  }

  async function withdraw(): Promise<void> {
    isBack = await client.call('withdraw', id).catch(() => false);
    if (isBack) queue.close();
  }
}

export async function* instructions(
  client: Client,
  runId: string,
  queue: ChangeQueue,
  epoch: () => number | undefined,
): AsyncGenerator<Told> {
  try {
    while (!queue.closed()) {
      yield* await client.call('take', runId, epoch());
      await queue.wait();
    }
  } finally {
    queue.close();
  }
}
