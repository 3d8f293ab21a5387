/** What agents told of the limits of their accounts, from the rows of their runs. */
import type { LimitWindow } from '../../event/index.js';
import type { AgentLimit } from '../query.js';
import { parsed, type Row } from './row.js';

/** Each window as it was told last. */
export function latestLimits(rows: readonly Row[]): AgentLimit[] {
  const told = rows.flatMap(({ agent, limits }) => {
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
