/**
 * Which runs changed: a row for each change, so that no two runs share one that both must write. The newest rows are enough; who was
 * away for longer looks at everything.
 */
import type { Change } from '../shell/engine.js';
import type { Connection } from './connection.js';

export interface ChangeReader {
  /** Runs that anybody changed since the last call; `missed` when some are no longer known. */
  read(): Change[] | 'missed';
}

const KEPT = 10_000;
const SWEEP = 1000;

/** To be called within the transaction that changes the run; who reads sees all of a transaction at once, so that a run is noted once in it. */
export function noteChange(db: Connection, run: number): void {
  const transactions = db.transactions();
  const last = noted.get(db);
  if (last?.run === run && last.transactions === transactions) return;
  noted.set(db, { run, transactions });
  const no = Number(db.get('insert into change (run) values (?) returning no', run)?.no);
  if (no % SWEEP === 0) db.run('delete from change where no <= ?', no - KEPT);
}

const noted = new WeakMap<Connection, { run: number; transactions: number }>();

export function createChangeReader(db: Connection): ChangeReader {
  let seen = Number(db.get('select max(no) as no from change')?.no ?? 0);

  return {
    read() {
      const rows = db.all(
        `select change.no, run.id, run.session from change left join run on run.no = change.run
         where change.no > ? order by change.no`,
        seen,
      );
      const [first, last] = [rows[0], rows.at(-1)];
      const hasMissed = first !== undefined && Number(first.no) > seen + 1;
      seen = Number(last?.no ?? seen);
      if (hasMissed) return 'missed';
      // One that was removed meanwhile has no row any more.
      return rows.flatMap(({ id, session }) => (id === null ? [] : [{ runId: String(id), session: Number(session) }]));
    },
  };
}
