/** The sessions that changed, for all who watch: after the same news they are read once for everybody. */
import type { SessionRecord } from '../record.js';
import { type ChangeQueue, createChangeQueue } from './change-queue.js';
import type { Door } from './engine.js';

export function createChangedSessions(door: Door): (signal: AbortSignal) => AsyncGenerator<SessionRecord[]> {
  /** By what is asked for; since the last news, because what was read before them does not know of them. */
  const reads = new Map<string, Promise<SessionRecord[]>>();

  const read = (numbers: readonly number[]): Promise<SessionRecord[]> => {
    const key = numbers.join();
    const known = reads.get(key) ?? readNow(door, numbers);
    reads.set(key, known);
    return known;
  };

  // Collected from the moment somebody watches, not only when he asks for the first.
  return (signal) => changed(createChangeQueue(door, undefined, signal, () => reads.clear()));

  async function* changed(queue: ChangeQueue): AsyncGenerator<SessionRecord[]> {
    try {
      while (!queue.closed()) {
        const changes = await queue.wait();
        if (queue.closed()) return;
        yield await read([...new Set(changes.map(({ session }) => session))].sort((a, b) => a - b));
      }
    } finally {
      queue.close();
    }
  }
}

/** All when some may have been missed. */
async function readNow({ call }: Door, numbers: readonly number[]): Promise<SessionRecord[]> {
  return numbers.length > 0 ? call('sessions', [...numbers]) : (await call('list', {})).items;
}
