/** The embedded store: one SQLite file, used by a worker thread, made on first use. */
import type { AgentEvent } from '../../event/index.js';
import { GlassboxError } from '../../event/index.js';
import type { Store } from '../store.js';
import { type Client, createClient } from './client.js';
import { decide, decisions } from './decide.js';
import { createMailbox, type Mailbox } from './mailbox.js';

export async function openEmbedded(location: string): Promise<Store> {
  const client = createClient(location);
  await client.open();
  const closing = new AbortController();

  return {
    location,
    startRun: (start) => client.call('startRun', start),
    append: (events) => append(client, events),
    endRun: (runId, sourceState) => client.call('endRun', runId, sourceState),
    read: (runId, fromSeq = 1) => pages(client, runId, fromSeq),
    tail: (runId, { fromSeq = 1, signal } = {}) => pages(client, runId, fromSeq, mailbox(runId, signal)),
    session: (ref) => client.call('session', ref),
    list: (query = {}) => client.call('list', query),
    watch: ({ signal } = {}) => changedSessions(client, mailbox(undefined, signal)),
    search: (query) => client.call('search', query),
    totals: (query) => client.call('totals', query),
    drift: (query = {}) => client.call('drift', query),
    approvals: (runId) => client.call('approvals', runId),
    decide: (runId, id, answer) => decide(client, runId, id, answer, mailbox(runId, undefined)),
    decisions: (runId, { signal } = {}) => decisions(client, runId, mailbox(runId, signal)),
    acknowledge: (runId, id, reception) => client.call('acknowledge', runId, id, reception),
    delete: (sessionId) => client.call('delete', sessionId),
    async prune(query) {
      let sessions = 0;
      for (const session of await client.call('planPrune', query)) {
        if (await client.call('removeOld', session)) sessions += 1;
      }
      while (sessions > 0 && (await client.call('compact')));
      return { sessions, bytes: await client.call('size') };
    },
    close() {
      closing.abort();
      return client.close();
    },
  };

  function mailbox(runId: string | undefined, signal: AbortSignal | undefined): Mailbox {
    const signals = signal ? [signal, closing.signal] : [closing.signal];
    return createMailbox(client, runId, AbortSignal.any(signals));
  }
}

function append(client: Client, events: readonly AgentEvent[]): Promise<number> {
  const runId = events[0]?.runId;
  if (runId === undefined) return Promise.resolve(0);
  if (events.some((event) => event.runId !== runId)) {
    return Promise.reject(new GlassboxError('invalid-request', 'One call can append the events of one run only.'));
  }
  return client.append({ runId, bodies: events.map((event) => JSON.stringify({ schema: 1, ...event })) });
}

/** With a mailbox it goes on until the run has ended. */
async function* pages(client: Client, runId: string, fromSeq: number, mailbox?: Mailbox): AsyncGenerator<AgentEvent> {
  let next = fromSeq;
  try {
    while (!mailbox?.closed()) {
      const { bodies, lastSeq, ended } = await client.call('page', runId, next);
      for (const body of bodies) {
        const event = JSON.parse(body) as AgentEvent;
        next = event.seq + 1;
        yield event;
      }
      if (next <= lastSeq) continue;
      if (!mailbox || ended) return;
      await mailbox.wait();
    }
  } finally {
    mailbox?.close();
  }
}

async function* changedSessions(client: Client, mailbox: Mailbox) {
  try {
    while (!mailbox.closed()) {
      const changes = await mailbox.wait();
      if (mailbox.closed()) return;
      const numbers = [...new Set(changes.map(({ session }) => session))];
      yield numbers.length > 0 ? await client.call('sessions', numbers) : (await client.call('list', {})).items;
    }
  } finally {
    mailbox.close();
  }
}
