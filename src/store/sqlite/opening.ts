/** Finds what runs are to be called that nobody said anything to, from the events of a file that does not say it. */
import { addEvent, createSummary, openingOf } from '../summary.js';
import type { Connection } from './connection.js';
import { eventOf } from './event-row.js';
import { RUN_SHIFT } from './schema.js';

/** Whatever is said or done first comes early. */
const LOOKED_AT = 500;

export function findOpenings(db: Connection): void {
  for (const { no } of db.all('select no from run where prompt is null and title is null')) {
    const summary = createSummary();
    const first = Number(no) * RUN_SHIFT;
    const rows = db.all(
      `select body, sum from event where id >= ? and id < ? limit ${LOOKED_AT}`,
      first,
      first + RUN_SHIFT,
    );
    for (const row of rows) {
      const event = eventOf(row);
      if (event) addEvent(summary, event, () => undefined);
    }
    db.run('update run set opening = ? where no = ?', openingOf(summary) ?? null, Number(no));
  }
}
