/** What agents told of the limits of their accounts. */
import type { LimitWindow } from '../../event/index.js';
import type { AgentLimit } from '../query.js';
import type { Summary } from '../summary.js';
import type { Connection } from './connection.js';
import { parsed } from './event-row.js';

export function limitValue({ limits }: Summary): string | null {
  return limits ? JSON.stringify(limits) : null;
}

export function listLimits(db: Connection): AgentLimit[] {
  const told = db.all('select agent, limits from run where limits is not null').flatMap(({ agent, limits }) => {
    const { at, windows } = parsed<{ at: number; windows: LimitWindow[] }>(String(limits)) ?? { at: 0, windows: [] };
    return windows.map((window): AgentLimit => ({ agent: String(agent), ...window, at }));
  });
  const latest = new Map<string, AgentLimit>();
  for (const limit of told.sort((one, other) => one.at - other.at)) latest.set(`${limit.agent} ${limit.name}`, limit);
  return [...latest.values()].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

function keyOf({ agent, name }: AgentLimit): string {
  return `${agent} ${name}`;
}
