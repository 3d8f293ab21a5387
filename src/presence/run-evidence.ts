/** What the events of a run that glassbox has in its hands say of its session. */
import type { AgentEvent } from '../event/index.js';
import type { Evidence } from './evidence.js';

/** From its last events, in their order; undefined when none of them tells. What it asks is told by whoever keeps the questions. */
export function evidenceOfEvents(events: readonly AgentEvent[]): Evidence | undefined {
  const last = events.findLast(({ type }) => type === 'turn-start' || type === 'turn-end' || type === 'run-end');
  if (!last) return undefined;
  const told = { source: 'run', at: last.at } as const;
  if (last.type === 'run-end') return { ...told, says: 'ended', text: `its run ended: ${last.reason}` };
  if (last.type === 'turn-end') return { ...told, says: 'idle', text: `a turn of its run ended: ${last.outcome}` };
  return { ...told, says: 'working', text: 'a turn of its run began' };
}
