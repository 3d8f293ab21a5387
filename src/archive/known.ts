/**
 * Takes out of a conversation from disk what is kept of it already: by the time of a run that glassbox kept itself, by the words of what came
 * through a pipe. What no stream carries, the prompt, is left in.
 */
import type { AgentEvent } from '../event/index.js';
import { balanceOf, createRunLedgers } from '../ledger/index.js';
import type { RunRecord, SessionRecord } from '../store/record.js';
import type { Store } from '../store/store.js';
import { findPiped, readPiped } from './piped.js';

export interface Known {
  /** What happened at this time was kept by the run itself. */
  isKnown(at: number): boolean;
  /** The turns of these events that are kept otherwise, by their numbers. */
  findTurns(events: readonly AgentEvent[]): ReadonlyMap<number, { hasPrompt: boolean }>;
}

/** The agent may still write a moment after its run has ended. */
const AFTERWARDS_MS = 2000;

/** What the other runs of a session tell; nothing when there are none. */
export async function knownOf(
  store: Store,
  session: SessionRecord | undefined,
  importedId: string,
): Promise<Known | undefined> {
  const others = (session?.runs ?? []).filter(({ runId }) => runId !== importedId);
  if (others.length === 0) return undefined;
  const piped = await readPiped(store, others);
  return {
    isKnown: isDuring(others),
    findTurns: (events) => findPiped(events, piped),
  };
}

/**
 * What is left, counted anew: of what is kept already only what the program's counters stood at after it, and prompts that its stream did
 * not have. They belong to no turn here, because their turns are counted where the rest of them is.
 */
export function withoutKnown(events: readonly AgentEvent[], known: Known): readonly AgentEvent[] {
  const turns = known.findTurns(events);
  if (!events.some(({ at, turn }) => known.isKnown(at) || turns.has(turn))) return events;
  const leave = createLeaving({ isKnown: known.isKnown, turns });
  const left = events.flatMap(leave);
  const hasMore = left.some(({ type }) => type === 'turn-start');
  return left.filter((event) => hasMore || isPrompt(event)).map((event, index) => ({ ...event, seq: index + 1 }));
}

interface LeavingOptions extends Pick<Known, 'isKnown'> {
  turns?: ReturnType<Known['findTurns']>;
}

/** What is left of each event, one after the other; they are not counted anew. */
export function createLeaving({ isKnown, turns }: LeavingOptions): (event: AgentEvent) => AgentEvent[] {
  const book = createRunLedgers();
  return (event) => {
    book.see(event);
    if (!isKnown(event.at) && !turns?.has(event.turn)) return [event];
    if (isPrompt(event) && turns?.get(event.turn)?.hasPrompt === false) return [{ ...event, turn: 0 }];
    const balance = event.type === 'turn-end' ? balanceOf(book.ledger) : undefined;
    return balance ? [balanceAfter(event, balance)] : [];
  };
}

const isPrompt = (event: AgentEvent): boolean =>
  event.type === 'user-message' && event.parent === undefined && !event.synthetic;

function balanceAfter({ seq, at, runId, agent, sessionId }: AgentEvent, balance: Balance): AgentEvent {
  const session = sessionId === undefined ? {} : { sessionId };
  return { type: 'usage-update', balance, seq, at, runId, agent, turn: 0, source: 'transcript', ...session };
}

/** When something happened tells whether these runs kept it themselves; what came through a pipe was read at any time. */
export function isDuring(runs: readonly RunRecord[]): Known['isKnown'] {
  const times = runs.filter((run) => !run.piped).map(timeOf);
  return (at) => times.some(([from, to]) => from <= at && at <= to);
}

type Balance = NonNullable<ReturnType<typeof balanceOf>>;

function timeOf({ startedAt, endedAt, updatedAt, state }: RunRecord): [number, number] {
  return [startedAt, state === 'ended' ? Math.max(endedAt ?? 0, updatedAt) + AFTERWARDS_MS : Number.POSITIVE_INFINITY];
}
