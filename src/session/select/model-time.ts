/** The time that models took: that of a turn, or of a sub-agent, in which none of its own tools ran and nobody was waited for. */
import { MAIN_THREAD, type SessionState } from '../state.js';
import { entries } from '../table/chunks.js';
import type { Span } from './timeline.js';

/** `spans`: all others, in any order. */
export function* modelSpans({ threads }: SessionState, spans: readonly Span[]): Generator<Span> {
  const byStart = (one: Span, other: Span) => one.startMs - other.startMs;
  const busy = new Map<number, Span[]>();
  const frames = new Map<number, Span[]>();
  const add = (map: Map<number, Span[]>, thread: number, span: Span) => {
    const list = map.get(thread);
    if (list) list.push(span);
    else map.set(thread, [span]);
  };
  for (const span of spans) {
    if (span.kind === 'turn') add(frames, span.thread, span);
    // What goes on behind it does not keep the model from working.
    else if (span.kind !== 'task') add(busy, span.thread, span);
    if (span.child !== undefined) add(frames, span.child, span);
  }
  for (const [thread] of entries(threads)) {
    const own = (busy.get(thread) ?? []).sort(byStart);
    for (const frame of (frames.get(thread) ?? []).sort(byStart)) yield* gaps(thread, frame, own);
  }
}

function* gaps(thread: number, frame: Span, busy: readonly Span[]): Generator<Span> {
  const last = frame.endMs ?? Number.POSITIVE_INFINITY;
  let from = frame.startMs;
  let isOpen = false;
  const gap = (endMs: number | undefined, row: string | undefined): Span => {
    const key = `model ${thread} ${frame.key} ${from}`;
    return { kind: 'model', key, row, label: 'Model', startMs: from, endMs, thread, run: frame.run };
  };
  for (let at = firstAfter(busy, frame.startMs); at < busy.length; at += 1) {
    const span = busy[at];
    if (!span || span.startMs >= last) break;
    if (span.startMs > from) yield gap(span.startMs, span.row);
    isOpen ||= span.endMs === undefined;
    from = Math.max(from, span.endMs ?? from);
  }
  if (!isOpen && from < last) yield gap(frame.endMs, thread === MAIN_THREAD ? frame.row : undefined);
}

/** The first that may reach beyond a moment; they are sorted by their beginnings, and a little before is soon enough. */
function firstAfter(busy: readonly Span[], moment: number): number {
  let [low, high] = [0, busy.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((busy[middle]?.startMs ?? 0) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
