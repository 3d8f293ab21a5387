/** The events of a run, page by page. */
import type { AgentEvent } from '../../event/index.js';
import type { ChangeQueue } from './change-queue.js';
import type { Caller } from './engine.js';

/** With a queue also what comes, until the run has ended. */
export async function* pages(
  { call }: Pick<Caller, 'call'>,
  runId: string,
  fromSeq: number,
  queue?: ChangeQueue,
): AsyncGenerator<AgentEvent> {
  let next = fromSeq;
  try {
    while (!queue?.closed()) {
      const { bodies, lastSeq, ended } = await call('page', runId, next);
      for (const body of bodies) {
        const event = JSON.parse(body) as AgentEvent;
        next = event.seq + 1;
        yield event;
      }
      if (next <= lastSeq) continue;
      if (!queue || ended) return;
      await queue.wait();
    }
  } finally {
    queue?.close();
  }
}
