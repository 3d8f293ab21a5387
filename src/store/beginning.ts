/**
 * Whether one reading of a stream is the beginning of another, or all of it. When and in which pieces it was read does not count, nor what
 * glassbox concluded because the reading ended.
 */
import type { AgentEvent } from '../event/index.js';

/** Both in the order of their `seq`. Reads no further than to the first difference. */
export function isBeginning(part: Iterable<AgentEvent>, whole: Iterable<AgentEvent>): boolean {
  const [shorter, longer] = [printed(part), printed(whole)];
  let next = shorter.next();
  if (next.done) return false;
  for (; !next.done; next = shorter.next()) {
    const other = longer.next();
    if (!other.done && factsOf(next.value) === factsOf(other.value)) continue;
    // A line that was not read to its end.
    return next.value.type === 'decode-error' && next.value.cut === true && shorter.next().done === true;
  }
  return true;
}

/** What the agent printed. Deltas are put together as they come in time, and the whole text follows them. */
function* printed(events: Iterable<AgentEvent>): Generator<AgentEvent, void, undefined> {
  for (const event of events) if (event.source !== 'synthetic' && !event.type.endsWith('-delta')) yield event;
}

function factsOf({ at: _at, runId: _run, fromSeq: _from, ...facts }: AgentEvent): string {
  return JSON.stringify(facts);
}
