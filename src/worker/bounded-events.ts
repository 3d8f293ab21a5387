/**
 * Fewer events, when there are more than may wait for a hub. Deltas go first: those whose whole text follows are missed by nobody, and for the
 * others a `gap` stands, which the whole text replaces when it comes. Only then the older half goes, for which a `gap` stands too.
 */
import type { AgentEvent } from '../event/index.js';

export function boundedEvents(events: readonly AgentEvent[], mostBytes: number): AgentEvent[] {
  const fits = (some: readonly AgentEvent[]): boolean => sizeOf(some) <= mostBytes;
  let kept = [...events];
  for (const shorten of [withoutCovered, withoutDeltas]) {
    if (fits(kept)) return kept;
    kept = shorten(kept);
  }
  return fits(kept) ? kept : newerHalf(kept, mostBytes);
}

export const sizeOf = (events: readonly AgentEvent[]): number =>
  events.reduce((sum, event) => sum + JSON.stringify(event).length + 1, 0);

const WHY = 'The hub could not be reached, and there was no more room to wait for it.';

const firstSeq = ({ seq, fromSeq = seq }: AgentEvent): number => fromSeq;

/** What a later event takes the place of. */
function withoutCovered(events: readonly AgentEvent[]): AgentEvent[] {
  const kept: AgentEvent[] = [];
  for (let index = events.length - 1, from = Number.POSITIVE_INFINITY; index >= 0; index -= 1) {
    const event = events[index];
    if (!event || event.seq >= from) continue;
    kept.push(event);
    from = firstSeq(event);
  }
  return kept.reverse();
}

function withoutDeltas(events: readonly AgentEvent[]): AgentEvent[] {
  const kept: AgentEvent[] = [];
  for (const event of events) {
    const last = kept.at(-1);
    if (!event.type.endsWith('-delta')) kept.push(event);
    else if (last?.type === 'gap' && last.why === WHY) kept[kept.length - 1] = gap(last, event);
    else kept.push(gap(event, event));
  }
  return kept;
}

function newerHalf(events: readonly AgentEvent[], mostBytes: number): AgentEvent[] {
  let from = events.length;
  for (let bytes = 0; from > 0; from -= 1) {
    const event = events[from - 1];
    bytes += event ? sizeOf([event]) : 0;
    if (bytes > mostBytes / 2) break;
  }
  const [first, last] = [events[0], events[from - 1]];
  return first && last ? [gap(first, last), ...events.slice(from)] : [...events];
}

/** Stands for everything from the first to the last. */
function gap(first: AgentEvent, last: AgentEvent): AgentEvent {
  const { seq, at, runId, agent, turn } = last;
  const fromSeq = firstSeq(first);
  return { type: 'gap', from: fromSeq, to: seq, why: WHY, seq, fromSeq, at, runId, agent, turn, source: 'synthetic' };
}
