/** Runs that were read elsewhere and come whole: each takes the place of what was there under its id. */
import type { SourceRecord } from '../record.js';
import type { WrittenRun } from '../shell/engine.js';
import { sourceRecord, writtenState } from '../table/source-row.js';
import type { Appender } from './append.js';
import type { Asker } from './connection.js';
import type { Ownership } from './owner.js';
import { createRun, emptyRun, endRun, removeRun } from './run.js';
import { findRun, holdRun } from './run-row.js';
import type { Transaction } from './transaction.js';

/** False when somebody owns it. */
export async function keepWhole(
  tx: Transaction,
  { start, bodies, sourceState, onlyFigures }: WrittenRun,
  { owners, appender }: { owners: Ownership; appender: Appender },
): Promise<boolean> {
  const { runId } = start;
  const known = await holdRun(tx, runId);
  if (known && !(await owners.release(tx, known))) return false;
  if (bodies.length === 0) {
    if (known) await removeRun(tx, known);
    return true;
  }
  if (known) await emptyRun(tx, Number(known.no));
  else await createRun(tx, start);
  const [kept] = await appender.append(tx, [{ runId, bodies, epoch: undefined, onlyFigures }]);
  if (kept instanceof Error) throw kept;
  const run = await findRun(tx, runId);
  if (run) await endRun(tx, run, writtenState(sourceState, onlyFigures));
  return true;
}

export async function listSources(db: Asker): Promise<SourceRecord[]> {
  const rows = await db.all(
    'select run.id, run.agent, run.source_state, a.id as session from run left join agent_session a on a.run = run.no',
  );
  return rows.map(sourceRecord);
}
