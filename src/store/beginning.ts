/**
 * Whether one reading of a stream is the beginning of another, or all of it. When and in which pieces it was read does not count, nor what
 * glassbox concluded because the reading ended.
 */
import { type AgentEvent, type EventOf, lineCount } from '../event/index.js';

/** Both in the order of their `seq`. Reads no further than to the first difference. */
export function isBeginning(part: Iterable<AgentEvent>, whole: Iterable<AgentEvent>): boolean {
  const [shorter, longer] = [printed(part), printed(whole)];
  let next = shorter.next();
  if (next.done) return false;
  let isOver = false;
  for (; !next.done; next = shorter.next()) {
    const other = longer.next();
    if (!isOver && !other.done && factsOf(next.value) === factsOf(other.value)) continue;
    // A line that was not read to its end.
    if (next.value.type === 'decode-error' && next.value.cut === true) return shorter.next().done === true;
    // Lines that say nothing were counted, and it ended among them.
    isOver = true;
    if (other.done || !isFewer(next.value, other.value)) return false;
  }
  return true;
}

/** What the agent printed. Deltas are put together as they come in time, and the whole text follows them. */
function* printed(events: Iterable<AgentEvent>): Generator<AgentEvent, void, undefined> {
  for (const event of events) if (event.source !== 'synthetic' && !event.type.endsWith('-delta')) yield event;
}

function isFewer(part: AgentEvent, whole: AgentEvent): boolean {
  if (!isCounted(part) || !isCounted(whole) || lineCount(part) > lineCount(whole)) return false;
  const kindOf = ({ count: _count, bytes: _bytes, ...kind }: Counted) => factsOf(kind as AgentEvent);
  return kindOf(part) === kindOf(whole);
}

type Counted = EventOf<'decode-error' | 'unknown'>;

function isCounted(event: AgentEvent): event is Counted {
  return event.type === 'decode-error' || event.type === 'unknown';
}

function factsOf({ at: _at, runId: _run, fromSeq: _from, ...facts }: AgentEvent): string {
  return JSON.stringify(facts);
}
