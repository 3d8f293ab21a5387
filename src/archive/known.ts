/**
 * Takes out of a conversation from disk what is kept of it already: by the time of a run that glassbox kept itself, by the words of what came
 * through a pipe. What no stream carries, the prompt, is left in.
 */
import type { AgentEvent, EventOf, Usage } from '../event/index.js';
import { addUsage, balanceOf, createRunLedgers, isTelling, subtractUsage } from '../ledger/index.js';
import type { RunRecord, SessionRecord } from '../store/record.js';
import type { Store } from '../store/store.js';
import { findPiped, readPiped } from './piped.js';

export interface Known {
  /** What happened at this time was kept by the run itself. */
  isKnown(at: number): boolean;
  /** What the agent's counters stood at when the last run that had ended by then was over. */
  balanceAt(at: number): Balance | undefined;
  /** The turns of these events that are kept otherwise, by their numbers. */
  findTurns(events: readonly AgentEvent[]): ReadonlyMap<number, { hasPrompt: boolean }>;
}

/** An agent that others ran may still write a moment after its stream has ended. */
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
    balanceAt: balanceAfterRuns(others),
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
  const leave = createLeaving({ ...known, turns });
  const left = events.flatMap(leave);
  const hasMore = left.some(({ type }) => type === 'turn-start');
  return left.filter((event) => hasMore || isPrompt(event)).map((event, index) => ({ ...event, seq: index + 1 }));
}

interface LeavingOptions extends Pick<Known, 'isKnown' | 'balanceAt'> {
  turns?: ReturnType<Known['findTurns']>;
}

/** What is left of each event, one after the other; they are not counted anew. */
export function createLeaving({ isKnown, balanceAt, turns }: LeavingOptions): (event: AgentEvent) => AgentEvent[] {
  const book = createRunLedgers();
  const begun = createBegun();
  return (event) => {
    book.see(event);
    if (!isKnown(event.at) && !turns?.has(event.turn)) return begun.rest(event, balanceAt);
    begun.see(event);
    if (isPrompt(event) && turns?.get(event.turn)?.hasPrompt === false) return [{ ...event, turn: 0 }];
    const balance = event.type === 'turn-end' ? balanceOf(book.ledger) : undefined;
    return balance ? [balanceAfter(event, balance)] : [];
  };
}

/**
 * Turns that were begun where they are kept, and that another program, to which the session was handed over, ends: what was begun there is told there, and
 * what was used until then is counted there.
 */
function createBegun() {
  const used = new Map<number, Usage>();
  const names = new Set<string>();
  let lastEnded = 0;

  function see(event: AgentEvent): void {
    if (event.turn === 0) return;
    const usage = event.type === 'message-end' ? event.usage : undefined;
    used.set(event.turn, addUsage(used.get(event.turn), usage) ?? {});
    if (event.type === 'turn-end' && event.parent === undefined) lastEnded = event.turn;
    for (const name of namesIn(event)) names.add(name);
  }

  function rest(event: AgentEvent, balanceAt: Known['balanceAt']): AgentEvent[] {
    if (!used.has(event.turn)) return [event];
    if (event.type === 'session-update' && event.turn === lastEnded) return [{ ...event, turn: 0 }];
    if (namesIn(event).some((name) => names.has(name))) {
      see(event);
      return [];
    }
    if (event.type !== 'turn-end' || event.parent !== undefined) return [event];
    const balance = balanceAt(event.at);
    return [...(balance ? [balanceAfter(event, balance)] : []), withoutUsage(event, used.get(event.turn) ?? {})];
  }

  return { see, rest };
}

/** Of a message, or of a call. */
function namesIn(event: AgentEvent): string[] {
  if ('messageId' in event && event.messageId !== undefined) return [`message ${event.messageId}`];
  return event.type.startsWith('tool-') && 'id' in event ? [`call ${event.id}`] : [];
}

function withoutUsage(event: EventOf<'turn-end'>, before: Usage): AgentEvent {
  const { usage, ...facts } = event;
  if (!usage || event.usageScope === 'session') return event;
  const left = subtractUsage(usage, before);
  return isTelling(left) ? { ...facts, usage: left } : facts;
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

/** Runs whose agent told what its counters stood at. */
export function balanceAfterRuns(runs: readonly RunRecord[]): Known['balanceAt'] {
  const ended = runs.filter(({ piped, state, balance }) => !piped && state === 'ended' && balance !== undefined);
  return (at) => ended.filter((run) => timeOf(run)[1] <= at).reduce<RunRecord | undefined>(later, undefined)?.balance;
}

const later = (one: RunRecord | undefined, other: RunRecord): RunRecord =>
  one && timeOf(one)[1] >= timeOf(other)[1] ? one : other;

type Balance = NonNullable<ReturnType<typeof balanceOf>>;

/** Of a run that somebody ended everybody was gone then: what comes a moment later is of another program, to which it may have been handed over. */
function timeOf({ startedAt, endedAt, updatedAt, state, owner, outcome }: RunRecord): [number, number] {
  if (state !== 'ended') return [startedAt, Number.POSITIVE_INFINITY];
  const isGone = owner !== undefined && outcome === 'cancelled';
  return [startedAt, Math.max(endedAt ?? 0, updatedAt) + (isGone ? 0 : AFTERWARDS_MS)];
}
