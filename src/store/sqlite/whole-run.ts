/** Runs that were read elsewhere and come whole: each takes the place of what was there under its id. */
import { defined } from '../../event/index.js';
import type { SourceRecord, WholeRun } from '../record.js';
import type { Appender } from './append.js';
import type { Connection } from './connection.js';
import type { Row } from './driver.js';
import type { Ownership } from './owner.js';
import { text } from './row.js';
import { createRun, emptyRun, endRun, removeRun } from './run.js';
import { findRun } from './run-row.js';

/** `bodies`: its events as JSON. */
export type WrittenRun = Omit<WholeRun, 'events'> & { bodies: string[] };

/** Before the state of a source of which only the figures were read. */
const FIGURES = 'figures ';

/** False when somebody owns it. */
export function keepWhole(
  db: Connection,
  { start, bodies, sourceState, onlyFigures }: WrittenRun,
  { owners, appender }: { owners: Ownership; appender: Appender },
): boolean {
  const { runId } = start;
  const known = findRun(db, runId);
  if (known && !owners.release(known)) return false;
  if (bodies.length === 0) {
    if (known) removeRun(db, known);
    return true;
  }
  if (known) emptyRun(db, Number(known.no));
  else createRun(db, start);
  appender.append({ runId, bodies, epoch: undefined, onlyFigures });
  const run = findRun(db, runId);
  if (run) endRun(db, run, onlyFigures ? FIGURES + sourceState : sourceState);
  return true;
}

export function listSources(db: Connection): SourceRecord[] {
  const rows = db.all(
    'select run.id, run.agent, run.source_state, a.id as session from run left join agent_session a on a.run = run.no',
  );
  return rows.map((row) =>
    defined({ runId: String(row.id), agent: String(row.agent), agentSessionId: text(row.session), ...sourceOf(row) }),
  );
}

/** What of its source was read. */
export function sourceOf(row: Row): Pick<SourceRecord, 'sourceState' | 'onlyFigures'> {
  const state = text(row.source_state);
  if (state === undefined) return {};
  return state.startsWith(FIGURES)
    ? { sourceState: state.slice(FIGURES.length), onlyFigures: true }
    : { sourceState: state };
}
