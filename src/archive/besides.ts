/** What others told of a conversation that is on disk, as a question and its answer by a hook: it stands in no file, and stays when the rest is read anew. */
import type { AgentEvent, EventOf } from '../event/index.js';
import type { Store } from '../store/store.js';
import { eventsOf } from './piped.js';

/** Of a run that is in the store; none when there is no such run. */
export async function besidesOf(store: Store, runId: string): Promise<AgentEvent[]> {
  const session = await store.session(runId);
  const run = session?.runs.find((one) => one.runId === runId);
  if (!run || run.onlyFigures || run.lastSeq === 0) return [];
  const told = (await eventsOf(store, runId)).filter(isBeside);
  return run.owner?.pid === process.pid ? told : withoutWaiting(told);
}

/** Who asked is gone, and the agent asks somebody else since: a question without its end would wait for ever. */
function withoutWaiting(told: readonly AgentEvent[]): AgentEvent[] {
  const settled = new Set(told.flatMap((event) => (isEnd(event) ? [event.id] : [])));
  return told.flatMap((event): AgentEvent[] => {
    if (event.type !== 'approval-request' || settled.has(event.id)) return [event];
    const { id, seq, at, runId, agent, sessionId, turn, source } = event;
    const stamp = { seq, at, runId, agent, turn, source, ...(sessionId !== undefined && { sessionId }) };
    return [event, { type: 'approval-withdraw', id, why: 'exit', ...stamp }];
  });
}

function isEnd(event: AgentEvent): event is EventOf<'approval-resolve' | 'approval-withdraw'> {
  return event.type === 'approval-resolve' || event.type === 'approval-withdraw';
}

export function isBeside({ source }: AgentEvent): boolean {
  return source === 'hook';
}

/** Both in the order of their times, counted anew. */
export function withBesides(events: readonly AgentEvent[], besides: readonly AgentEvent[]): readonly AgentEvent[] {
  if (besides.length === 0) return events;
  const { before, rest } = createBesides(besides);
  const all = [...events.flatMap((event) => [...before(event.at), event]), ...rest()];
  return all.map((event, index) => ({ ...event, seq: index + 1 }));
}

/** Hands them out one after the other, as far as the rest has come. */
export function createBesides(besides: readonly AgentEvent[]) {
  let next = 0;
  const until = (isDue: (event: AgentEvent) => boolean): AgentEvent[] => {
    const from = next;
    for (let event = besides[next]; event && isDue(event); event = besides[next]) next += 1;
    return besides.slice(from, next);
  };
  return { before: (at: number) => until((event) => event.at < at), rest: () => until(() => true) };
}
