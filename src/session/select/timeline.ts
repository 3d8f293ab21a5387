/** A session over time: spans that a picture can draw, in the order in which they began. */

import type { ShownEvent } from '../item.js';
import type { SessionState } from '../state.js';
import { entries } from '../table/chunks.js';

export interface Span {
  kind: 'turn' | 'tool' | 'task' | 'waiting' | 'retry' | 'compaction';
  /** Stable name, unique in the session; tools have the key of their row in the conversation. */
  key: string;
  label: string;
  startMs: number;
  /** Absent while it goes on. */
  endMs?: number | undefined;
  /** How it ended, in the word of its kind. */
  status?: string | undefined;
  /** Number of the thread: 0 is the main conversation. */
  thread: number;
}

/** Turns, tools, tasks and waiting as spans of time, for a chart. */
export function selectTimeline(state: SessionState): Span[] {
  return [
    ...turnSpans(state),
    ...toolSpans(state),
    ...taskSpans(state),
    ...waitingSpans(state),
    ...eventSpans(state),
  ].sort((left, right) => left.startMs - right.startMs);
}

function* turnSpans({ turns }: SessionState): Generator<Span> {
  for (const [number, { turn, thread, start, end, durationMs }] of entries(turns.rows)) {
    const startMs = start?.at ?? (end && end.at - (durationMs ?? 0));
    if (startMs === undefined) continue;
    yield {
      kind: 'turn',
      key: `turn${number}`,
      label: `Turn ${turn}`,
      startMs,
      endMs: end?.at,
      status: end?.outcome,
      thread,
    };
  }
}

function* toolSpans({ tools }: SessionState): Generator<Span> {
  for (const [number, { name, summary, startedAt, endedAt, status, thread }] of entries(tools.rows)) {
    if (startedAt === undefined) continue;
    const label = summary ? `${name}: ${summary}` : name;
    yield { kind: 'tool', key: `t${number}`, label, startMs: startedAt, endMs: endedAt, status, thread };
  }
}

function* taskSpans({ tasks }: SessionState): Generator<Span> {
  for (const [number, { id, description, startedAt, endedAt, status, thread }] of entries(tasks.rows)) {
    if (startedAt === undefined) continue;
    const label = description ?? id;
    yield { kind: 'task', key: `task${number}`, label, startMs: startedAt, endMs: endedAt, status, thread };
  }
}

function* waitingSpans({ approvals }: SessionState): Generator<Span> {
  for (const [number, { request, settledAt, status, thread }] of entries(approvals.rows)) {
    const label = request.toolName ?? request.title ?? request.kind;
    yield { kind: 'waiting', key: `approval${number}`, label, startMs: request.at, endMs: settledAt, status, thread };
  }
}

function* eventSpans({ threads }: SessionState): Generator<Span> {
  for (const [thread, { items }] of entries(threads)) {
    for (const [position, item] of entries(items)) {
      const span = item.kind === 'event' ? eventSpan(item.event) : undefined;
      if (span) yield { ...span, key: `e${thread}.${position}`, thread };
    }
  }
}

function eventSpan(event: ShownEvent): Omit<Span, 'key' | 'thread'> | undefined {
  if (event.type === 'retry') {
    const label = event.why ?? 'Retry';
    return { kind: 'retry', label, startMs: event.at, endMs: event.at + (event.delayMs ?? 0) };
  }
  if (event.type !== 'compaction-end') return undefined;
  return { kind: 'compaction', label: 'Compaction', startMs: event.at - (event.durationMs ?? 0), endMs: event.at };
}
