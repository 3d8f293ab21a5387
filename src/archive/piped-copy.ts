/**
 * A stream that came through a pipe and is of a run that glassbox kept itself, as when the agent's program leaves a copy of what it prints: the run
 * tells all of it, and what was piped goes. Two turns that only say the same are two: what they used and how long they took counts too.
 */
import type { AgentEvent } from '../event/index.js';
import type { RunRecord, SessionRecord } from '../store/record.js';
import type { Store } from '../store/store.js';
import { isImported } from './other-name.js';
import { eventsOf } from './piped.js';

/** Gives whether the session has other runs than before. */
export async function dropPipedCopies(store: Store, { runs }: SessionRecord): Promise<boolean> {
  const ended = runs.filter((run) => run.state === 'ended' && !isImported(run));
  const piped = ended.filter((run) => run.piped);
  if (piped.length === 0) return false;
  const told = new Set<string>();
  for (const { runId, piped: isPiped } of ended) if (!isPiped) told.add(factsOf(await eventsOf(store, runId)));
  let isChanged = false;
  for (const copy of piped) {
    const facts = factsOf(await eventsOf(store, copy.runId));
    if (facts === '' || !told.has(facts)) continue;
    await store.keepRuns([wholeOf(copy)]);
    isChanged = true;
  }
  return isChanged;
}

/** Without events it is removed. */
function wholeOf({ runId, agent, startedAt, sourceState = '' }: RunRecord) {
  return { start: { runId, agent, startedAt }, events: [], sourceState };
}

/** What a program prints, in its order, without when and where it was read; what glassbox concluded or was told is not of the stream. */
function factsOf(events: readonly AgentEvent[]): string {
  return events
    .filter(({ type, source }) => TOLD.has(type) && source !== 'synthetic')
    .map(({ at: _at, runId: _run, seq: _seq, fromSeq: _from, ...facts }) => JSON.stringify(facts))
    .join('\n');
}

const TOLD: ReadonlySet<AgentEvent['type']> = new Set([
  'text-end',
  'thinking-end',
  'tool-start',
  'tool-input-end',
  'tool-end',
  'turn-end',
] as const);
