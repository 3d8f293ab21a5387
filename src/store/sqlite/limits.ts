import type { AgentLimit } from '../query.js';
import { latestLimits } from '../table/limit-row.js';
import type { Connection } from './connection.js';

/** What agents told of the limits of their accounts. */
export function listLimits(db: Connection): AgentLimit[] {
  return latestLimits(db.all('select agent, limits from run where limits is not null'));
}
