/** One change of the store: what it does, and which runs it changed, told to everybody once when it is done. */
import type { Asker, Database } from './connection.js';
import { MonthMissing, makeMonth } from './month.js';

export interface Transaction extends Asker {
  /** Whoever watches the run hears of it when the transaction is done. */
  noteChange(run: number): void;
}

export type Write = <Done>(work: (tx: Transaction) => Promise<Done>) => Promise<Done>;

/** One notification holds 8000 bytes, and an id at most 256. */
const RUNS_AT_ONCE = 20;

export function createWrite(db: Database): Write {
  const channel = channelOf(db);
  return async function write(work) {
    try {
      return await db.transaction(async (tx) => {
        const changed = new Set<number>();
        const done = await work({ ...tx, noteChange: (run) => changed.add(run) });
        if (changed.size > 0) await tx.run(TELL, [...changed], channel);
        return done;
      });
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (!(cause instanceof MonthMissing)) throw error;
      await makeMonth(db, cause.month);
      return write(work);
    }
  };
}

/** Kept for whoever does not hear it, and told to who listens: the transaction's number, then ids of runs and numbers of their sessions. */
const TELL = `
  with kept as (insert into change (run) select unnest($1::bigint[])),
    named as (select id, session, row_number() over () / ${RUNS_AT_ONCE} as part from run where no = any($1::bigint[]))
  select pg_notify($2, pg_current_xact_id()::text || ' ' || string_agg(session || ' ' || id, E'\\n')) from named group by part`;

export function channelOf({ address }: Pick<Database, 'address'>): string {
  return `glassbox_${address.schema}`;
}
