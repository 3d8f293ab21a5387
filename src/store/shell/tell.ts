/** Both ends of an instruction's way between processes: who tells it and waits, and who owns the run and takes it. */
import { randomUUID } from 'node:crypto';
import type { Decider, Instruction, Reception } from '../../event/index.js';
import type { Told } from '../channel.js';
import type { ChangeQueue } from './change-queue.js';
import type { Caller, Holder } from './engine.js';

export interface Telling {
  runId: string;
  instruction: Instruction;
  from: Decider;
  patienceMs: number;
}

export async function tell({ call }: Pick<Caller, 'call'>, telling: Telling, queue: ChangeQueue): Promise<Reception> {
  const { patienceMs, ...told } = telling;
  const id = randomUUID();
  let timer: NodeJS.Timeout | undefined;
  let isBack = false;
  try {
    const refusal = await call('post', { id, ...told });
    if (refusal) return refusal;
    timer = setInterval(() => void withdraw(), patienceMs);
    for (;;) {
      const reception = await call('receptionOf', id);
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
    isBack = await call('withdraw', id).catch(() => false);
    if (isBack) queue.close();
  }
}

/** `by`: the owner, where others use the same door. Then what was taken comes again until it is acknowledged. */
export async function* instructions(
  { call }: Pick<Caller, 'call'>,
  { runId, by, epoch }: { runId: string; by: Holder | undefined; epoch: () => number | undefined },
  queue: ChangeQueue,
): AsyncGenerator<Told> {
  let heard = new Set<string>();
  try {
    while (!queue.closed()) {
      const told = await call('take', runId, epoch(), by);
      for (const one of told) if (!heard.has(one.id)) yield one;
      // What is no longer told was acknowledged.
      heard = new Set(told.map(({ id }) => id));
      await queue.wait();
    }
  } finally {
    queue.close();
  }
}
