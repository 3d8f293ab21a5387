/** Events as rows. */
import type { AgentEvent } from '../../event/index.js';
import type { Asker } from './connection.js';

/** All of a run, or those after a `seq`, in order. */
export async function eventsOf(db: Asker, run: number, after = 0): Promise<AgentEvent[]> {
  const rows = await db.all('select body from event where run = $1 and seq > $2 order by seq', run, after);
  return rows.map(({ body }) => JSON.parse(String(body)) as AgentEvent);
}
