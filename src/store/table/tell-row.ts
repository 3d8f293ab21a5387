/** Whether a run can be told something, from its row. */
import type { Reception } from '../../event/index.js';
import type { Row } from './row.js';

/** Undefined when it can. `asked`: the state of the question that is answered; undefined when there is none. */
export function cannotTell(run: Row, asked: string | undefined): Reception | undefined {
  if (run.piped !== null) {
    const reason = 'This run was piped in: it can be watched, not answered or told anything.';
    return { outcome: 'refused', code: 'conflict', reason };
  }
  if (asked === undefined) return { outcome: 'unknown' };
  if (run.ended_at !== null) return { outcome: run.outcome === 'interrupted' ? 'gone' : 'late' };
  if (run.heartbeat_at === null) return { outcome: 'gone' };
  return asked === 'pending' ? undefined : { outcome: 'late' };
}
