/** What a run goes on from, looked up before its events are added up: adding up does not wait. */
import type { AgentEvent, Balance } from '../../event/index.js';
import type { FindBalance } from '../../ledger/index.js';
import type { Summary } from '../summary.js';
import type { Row } from '../table/row.js';
import type { Asker } from './connection.js';
import { balanceBefore } from './spending.js';

/** For these events, which follow what the summary knows. */
export async function findBalances(
  db: Asker,
  run: Row,
  summary: Summary,
  events: readonly AgentEvent[],
): Promise<FindBalance> {
  const known = new Map<string | undefined, Balance | undefined>();
  if (events.some(reachesBack)) {
    const told = events.flatMap(({ sessionId, parent }) => (sessionId && parent === undefined ? [sessionId] : []));
    for (const id of new Set([summary.agentSessionId, ...told])) known.set(id, await balanceBefore(db, run, id));
  }
  return () => known.get(summary.agentSessionId);
}

/** Only such events ask. */
function reachesBack(event: AgentEvent): boolean {
  if (event.type !== 'turn-end' && event.type !== 'usage-update') return false;
  return event.cost?.scope === 'session' || (event.type === 'turn-end' && event.usageScope === 'session');
}
