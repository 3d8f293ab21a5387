/** A session over time: spans that a picture can draw, in the order in which they began; everything once. */

import type { ShownEvent, Task, Tool } from '../item.js';
import type { SessionState } from '../state.js';
import { entries } from '../table/chunks.js';
import { rowAt } from '../table/table.js';
import { modelSpans } from './model-time.js';

export interface Span {
  /** `model`: time of a turn, or of a sub-agent, in which none of its tools ran and nobody was waited for. */
  kind: 'turn' | 'model' | 'tool' | 'task' | 'waiting' | 'retry' | 'compaction';
  /** Stable name, unique in the session. */
  key: string;
  /** Key of the row in the conversation that tells it. */
  row?: string | undefined;
  label: string;
  startMs: number;
  /** Absent while it goes on. */
  endMs?: number | undefined;
  /** How it ended, in the word of its kind. */
  status?: string | undefined;
  /** Number of the thread: 0 is the main conversation. */
  thread: number;
  /** Number of the run. */
  run: number;
  /** Of a tool. */
  name?: string | undefined;
  /** Number of the thread of its sub-agent, which tells what its time went into. */
  child?: number | undefined;
}

/** Turns, what the model and its tools took, background work and waiting as spans of time, for a chart. */
export function selectTimeline(state: SessionState): Span[] {
  const spans = [
    ...turnSpans(state),
    ...toolSpans(state),
    ...taskSpans(state),
    ...waitingSpans(state),
    ...eventSpans(state),
  ];
  return [...spans, ...modelSpans(state, spans)].sort((left, right) => left.startMs - right.startMs);
}

function* turnSpans({ turns }: SessionState): Generator<Span> {
  for (const [number, { turn, thread, run, start, end, durationMs }] of entries(turns.rows)) {
    const startMs = start?.at ?? (end && end.at - (durationMs ?? 0));
    if (startMs === undefined) continue;
    const key = `turn${number}`;
    const status = end?.outcome;
    yield { kind: 'turn', key, row: key, label: `Turn ${turn}`, startMs, endMs: end?.at, status, thread, run };
  }
}

/** A call whose work goes on in the background lasts as long as that. */
function* toolSpans({ tools, tasks }: SessionState): Generator<Span> {
  for (const [number, tool] of entries(tools.rows)) {
    const { name, summary, startedAt: startMs, endedAt, status, thread, run } = tool;
    if (startMs === undefined) continue;
    const task = rowAt(tasks, tool.task);
    const isBehind = task !== undefined && outlives(task, tool);
    yield {
      kind: isBehind ? 'task' : 'tool',
      key: `t${number}`,
      row: `t${number}`,
      label: summary ? `${name}: ${summary}` : name,
      startMs,
      endMs: isBehind ? task.endedAt : endedAt,
      status: isBehind ? task.status : status,
      ...{ thread, run, name, child: tool.child },
    };
  }
}

function outlives({ endedAt: last = Number.POSITIVE_INFINITY, startedAt }: Task, { endedAt }: Tool): boolean {
  return startedAt !== undefined && endedAt !== undefined && last > endedAt;
}

/** Those that no call shows. */
function* taskSpans({ tasks, tools }: SessionState): Generator<Span> {
  for (const [number, { id, description, startedAt, endedAt, status, thread, run, tool }] of entries(tasks.rows)) {
    if (startedAt === undefined || rowAt(tools, tool)?.startedAt !== undefined) continue;
    const key = `task${number}`;
    const label = description ?? id;
    yield { kind: 'task', key, row: key, label, startMs: startedAt, endMs: endedAt, status, thread, run };
  }
}

function* waitingSpans({ approvals }: SessionState): Generator<Span> {
  for (const [number, { request, settledAt, status, thread, run, tool }] of entries(approvals.rows)) {
    const label = request.toolName ?? request.title ?? request.kind;
    const key = `approval${number}`;
    const row = tool === undefined ? key : `t${tool}`;
    yield { kind: 'waiting', key, row, label, startMs: request.at, endMs: settledAt, status, thread, run };
  }
}

function* eventSpans({ threads }: SessionState): Generator<Span> {
  for (const [thread, { items }] of entries(threads)) {
    for (const [position, item] of entries(items)) {
      const span = item.kind === 'event' ? eventSpan(item.event) : undefined;
      const key = `e${thread}.${position}`;
      if (span) yield { ...span, key, row: key, thread, run: 0 };
    }
  }
}

type EventSpan = Pick<Span, 'kind' | 'label' | 'startMs' | 'endMs'>;

function eventSpan(event: ShownEvent): EventSpan | undefined {
  if (event.type === 'retry') {
    const label = event.why ?? 'Retry';
    return { kind: 'retry', label, startMs: event.at, endMs: event.at + (event.delayMs ?? 0) };
  }
  if (event.type !== 'compaction-end') return undefined;
  return { kind: 'compaction', label: 'Compaction', startMs: event.at - (event.durationMs ?? 0), endMs: event.at };
}
