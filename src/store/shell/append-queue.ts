/** Appends that wait while others are written go into one transaction. */
import { GlassboxError } from '../../event/index.js';
import type { Batch } from './engine.js';

export interface AppendQueue {
  append(batch: Batch): Promise<number>;
  /** When nothing is under way. */
  idle(): Promise<void>;
}

/** In one transaction, so that its memory and the locks that it takes are bounded. */
const MOST_BATCHES = 200;

interface Waiting {
  batch: Batch;
  resolve(lastSeq: number): void;
  reject(error: unknown): void;
}

export function createAppendQueue(
  write: (batches: readonly Batch[]) => Promise<(number | GlassboxError)[]>,
): AppendQueue {
  const waiting: Waiting[] = [];
  let working: Promise<void> | undefined;

  return {
    append: (batch) =>
      new Promise((resolve, reject) => {
        waiting.push({ batch, resolve, reject });
        working ??= work();
      }),
    idle: async () => working,
  };

  async function work(): Promise<void> {
    // What is appended in the same turn of the event loop goes together.
    await Promise.resolve();
    while (waiting.length > 0) await flush(waiting.splice(0, MOST_BATCHES));
    // In the same step as the last look: who comes later begins anew.
    working = undefined;
  }

  async function flush(taken: readonly Waiting[]): Promise<void> {
    try {
      const acknowledged = await write(taken.map(({ batch }) => batch));
      for (const [index, { resolve, reject }] of taken.entries()) {
        const value = acknowledged[index];
        if (value instanceof GlassboxError) reject(value);
        else resolve(value ?? 0);
      }
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
  }
}
