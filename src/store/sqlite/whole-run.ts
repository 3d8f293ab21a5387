/** Runs that were read elsewhere and come whole: each takes the place of what was there under its id. */
import type { SourceRecord } from '../record.js';
import type { WrittenRun } from '../shell/engine.js';
import { sourceRecord, writtenState } from '../table/source-row.js';
import type { Appender } from './append.js';
import type { Connection } from './connection.js';
import type { Ownership } from './owner.js';
import { createRun, emptyRun, endRun, removeRun } from './run.js';
import { findRun } from './run-row.js';

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
  const run = known ? findRun(db, runId) : createRun(db, start);
  if (!run) return true;
  appender.append({ runId, bodies, epoch: undefined, onlyFigures }, run);
  endRun(db, run, writtenState(sourceState, onlyFigures));
  return true;
}

export function listSources(db: Connection): SourceRecord[] {
  const rows = db.all(
    'select run.id, run.agent, run.source_state, a.id as session from run left join agent_session a on a.run = run.no',
  );
  return rows.map(sourceRecord);
}
