/** Changes of one run, or of all, for one reader: collected from the moment it is made, taken when the reader has time. */
import type { Change, Door } from './engine.js';

export interface ChangeQueue {
  /** The changes since the last call; waits for one. None: it was closed, or some may have been missed. */
  wait(): Promise<Change[]>;
  closed(): boolean;
  close(): void;
}

export function createChangeQueue(
  door: Pick<Door, 'listen'>,
  runId: string | undefined,
  signal: AbortSignal,
  /** Hears of any news, before who waits does. */
  onNews: () => void = () => {},
): ChangeQueue {
  let changes = new Map<string, Change>();
  let wake: (() => void) | undefined;
  let closed = false;
  const stop = door.listen((news) => {
    onNews();
    for (const change of news) if (runId === undefined || change.runId === runId) changes.set(change.runId, change);
    if (changes.size > 0 || news.length === 0) wake?.();
  });
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });

  return {
    async wait() {
      if (!closed && changes.size === 0) await new Promise<void>((resolve) => (wake = resolve));
      const taken = [...changes.values()];
      changes = new Map();
      return closed ? [] : taken;
    },
    closed: () => closed,
    close,
  };

  function close(): void {
    if (closed) return;
    closed = true;
    signal.removeEventListener('abort', close);
    stop();
    wake?.();
  }
}
