/** What a session had cost before a run that continues it: told by the caller, or found in the earlier runs of the same state. */
import { entries } from './chunks.js';
import type { Ledger } from './ledger.js';
import { type Scene, withRun } from './scene.js';
import { newRun, type SessionState } from './state.js';
import { findRow, rowAt } from './table.js';

/**
 * Tells what a resumed run's session had cost before, so that its own share can be known; `unknown` for a resumed run of
 * which nobody knows. Say it before the run's first result. Not needed when the earlier runs are in the same state.
 */
export function withBaseline(state: SessionState, runId: string, usd: number | 'unknown'): SessionState {
  const run = rowAt(state.runs, findRow(state.runs, runId)) ?? newRun(runId);
  return withRun(state, { ...run, ledger: { ...run.ledger, baseline: usd } });
}

/** What is known about it when the run's first cumulative figure comes; absent for a run that continues nothing. */
export function findBaseline({ state, run, number }: Scene): Ledger['baseline'] {
  if (run.ledger.baseline !== undefined || run.ledger.total !== undefined) return run.ledger.baseline;
  let found: Ledger['baseline'] = run.facts.resumed ? 'unknown' : undefined;
  for (const [earlier, { sessionId, ledger }] of entries(state.runs.rows)) {
    if (earlier >= number) break;
    if (sessionId === undefined || (sessionId !== run.sessionId && sessionId !== run.previousSessionId)) continue;
    found = ledger.total?.scope === 'session' ? ledger.total.usd : 'unknown';
  }
  return found;
}
