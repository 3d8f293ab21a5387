/** Which sessions have to go, from their rows. */
import type { PruneQuery } from '../query.js';
import type { PrunePlan } from '../shell/engine.js';
import type { Row } from './row.js';

export interface PruneLimits extends Omit<PruneQuery, 'dryRun'> {
  now: number;
  /** What all takes now. */
  used: number;
}

/** The oldest first, with what they have and whether they live; a session's share of the data is taken from the share of its events. */
export function planFrom(
  sessions: readonly Row[],
  { maxAgeMs = Infinity, maxBytes = Infinity, now, used: usedBefore }: PruneLimits,
): PrunePlan {
  let used = usedBefore;
  const all = sessions.reduce((sum, row) => sum + Number(row.bytes), 0);
  const share = used / Math.max(1, all);
  const plan: PrunePlan['plan'] = [];
  for (const { no, id, updated_at: updatedAt, bytes, pinned, is_running: isAlive } of sessions) {
    if (Number(updatedAt) >= now - maxAgeMs && used <= maxBytes) break;
    if (pinned !== null || Number(isAlive) === 1) continue;
    plan.push({ no: Number(no), id: String(id) });
    used -= Number(bytes) * share;
  }
  return { plan, bytes: Math.round(used) };
}
