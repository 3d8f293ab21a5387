/** Counts again, from the kept events, what a run spent: another one, from which it was counted on, is gone. */
import { addEvent, createSummary } from '../summary.js';
import { FIGURE_COLUMNS, figureValues, limitValue } from '../table/figure-row.js';
import { sourceOf } from '../table/source-row.js';
import { findBalances } from './balance.js';
import type { Asker } from './connection.js';
import { eventsOf } from './event.js';
import { createSpending } from './spending.js';

export async function recountRun(tx: Asker, no: number): Promise<void> {
  const run = await tx.get('select * from run where no = $1', no);
  // Of some only the figures were read: there is nothing to count them from.
  if (!run || sourceOf(run).onlyFigures) return;
  for (const table of ['spend', 'tool_use', 'cause_use']) await tx.run(`delete from ${table} where run = $1`, no);
  const spending = createSpending();
  const summary = createSummary();
  const events = await eventsOf(tx, no);
  const find = await findBalances(tx, run, summary, events);
  for (const event of events) {
    const additions = addEvent(summary, event, find);
    if (additions) spending.add(no, event, additions);
  }
  await spending.save(tx);
  const columns = FIGURE_COLUMNS.map((column, index) => `${column} = $${index + 3}`).join(', ');
  await tx.run(
    `update run set limits = $2, ${columns} where no = $1`,
    ...[no, limitValue(summary), ...figureValues(summary.ledger)],
  );
}
