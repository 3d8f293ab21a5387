/** The embedded store: one SQLite file, used by a worker thread, made on first use. */
import type { AgentEvent } from '../../event/index.js';
import { GlassboxError } from '../../event/index.js';
import type { Store } from '../store.js';
import { type ChangeQueue, createChangeQueue } from './change-queue.js';
import { type Client, createClient } from './client.js';
import { pages } from './pages.js';
import { questionsTo } from './questions.js';
import { instructions, tell } from './tell.js';

/** An owner hears at once; one that has not for so long is stuck, or does not listen at all. */
const PATIENCE_MS = 10_000;

export async function openEmbedded(location: string): Promise<Store> {
  const client = createClient(location);
  await client.open();
  const closing = new AbortController();
  /** Of the runs that were started here. They are kept on this side because the worker may die and be started again. */
  const epochs = new Map<string, number>();

  return {
    location,
    ...questionsTo(client),
    async startRun(start) {
      const { record, epoch } = await client.call('startRun', start, epochs.get(start.runId));
      if (epoch !== undefined) epochs.set(start.runId, epoch);
      else if (start.replace) epochs.delete(start.runId);
      return record;
    },
    append: (events) => append(client, events, epochs),
    keepRuns: (runs) =>
      client.call(
        'keepRuns',
        runs.map(({ events, ...facts }) => ({ ...facts, bodies: events.map(bodyOf) })),
      ),
    sources: () => client.call('sources'),
    endRun: (runId, sourceState) => client.call('endRun', runId, sourceState, epochs.get(runId)),
    tail: (runId, { fromSeq = 1, signal } = {}) => pages(client, runId, fromSeq, queue(runId, signal)),
    watch: ({ signal } = {}) => changedSessions(client, queue(undefined, signal)),
    tell: (runId, instruction, from, { patienceMs = PATIENCE_MS } = {}) =>
      tell(client, { runId, instruction, from, patienceMs }, queue(runId, undefined)),
    instructions: (runId, { signal } = {}) =>
      instructions(client, runId, queue(runId, signal), () => epochs.get(runId)),
    acknowledge: (runId, id, reception) => client.call('acknowledge', runId, id, reception, epochs.get(runId)),
    label: (sessionId, label) => client.call('label', sessionId, label),
    delete: (sessionId) => client.call('delete', sessionId),
    async prune(query) {
      const { plan, bytes } = await client.call('planPrune', query);
      if (query.dryRun) return { sessions: plan.length, ids: plan.map(({ id }) => id), bytes };
      const ids: string[] = [];
      for (const { no, id } of plan) {
        if (await client.call('removeOld', no)) ids.push(id);
      }
      while (ids.length > 0 && (await client.call('compact')));
      return { sessions: ids.length, ids, bytes: await client.call('size') };
    },
    close() {
      closing.abort();
      return client.close();
    },
  };

  function queue(runId: string | undefined, signal: AbortSignal | undefined): ChangeQueue {
    const signals = signal ? [signal, closing.signal] : [closing.signal];
    return createChangeQueue(client, runId, AbortSignal.any(signals));
  }
}

function append(client: Client, events: readonly AgentEvent[], epochs: ReadonlyMap<string, number>): Promise<number> {
  const runId = events[0]?.runId;
  if (runId === undefined) return Promise.resolve(0);
  if (events.some((event) => event.runId !== runId)) {
    return Promise.reject(new GlassboxError('invalid-request', 'One call can append the events of one run only.'));
  }
  return client.append({
    runId,
    epoch: epochs.get(runId),
    bodies: events.map(bodyOf),
  });
}

function bodyOf(event: AgentEvent): string {
  return JSON.stringify({ schema: 1, ...event });
}

/** With a queue it goes on until the run has ended. */
async function* changedSessions(client: Client, queue: ChangeQueue) {
  try {
    while (!queue.closed()) {
      const changes = await queue.wait();
      if (queue.closed()) return;
      const numbers = [...new Set(changes.map(({ session }) => session))];
      yield numbers.length > 0 ? await client.call('sessions', numbers) : (await client.call('list', {})).items;
    }
  } finally {
    queue.close();
  }
}
