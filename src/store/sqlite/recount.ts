/** Counts again, from the kept events, what every run spent: for a file whose figures were added up by other rules. */
import { addEvent, createSummary } from '../summary.js';
import { FIGURE_COLUMNS, figureValues, limitValue } from '../table/figure-row.js';
import { sourceOf } from '../table/source-row.js';
import type { Connection } from './connection.js';
import { eventOf } from './event-row.js';
import { RUN_SHIFT } from './schema.js';
import { balanceBefore, createSpending } from './spending.js';

export function recount(db: Connection): void {
  for (const { no } of db.all('select no from run order by no')) recountRun(db, Number(no));
}

export function recountRun(db: Connection, no: number): void {
  const run = db.get('select * from run where no = ?', no);
  // Of some only the figures were read: there is nothing to count them from.
  if (!run || sourceOf(run).onlyFigures) return;
  const spending = createSpending(db);
  const summary = createSummary();
  for (const table of ['spend', 'tool_use', 'cause_use']) db.run(`delete from ${table} where run = ?`, no);
  for (const row of db.all(
    'select body, sum from event where id >= ? and id < ?',
    no * RUN_SHIFT,
    (no + 1) * RUN_SHIFT,
  )) {
    const event = eventOf(row);
    if (!event) continue;
    const additions = addEvent(summary, event, () => balanceBefore(db, run, summary.agentSessionId));
    if (additions) spending.add(no, event, additions);
  }
  spending.save();
  const columns = FIGURE_COLUMNS.map((column) => `${column} = ?`).join(', ');
  db.run(
    `update run set limits = ?, ${columns} where no = ?`,
    ...[limitValue(summary), ...figureValues(summary.ledger), no],
  );
}
