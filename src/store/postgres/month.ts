/** The months in which runs began: each has a partition of its own for its events and for their words. */
import type { Asker, Database } from './connection.js';
import { RUN_SHIFT } from './schema.js';

/** What began when nobody had a computer, or will begin later, is kept with its neighbours: nobody can ask for a thousand partitions. */
const FIRST = monthAt(Date.UTC(2015, 0));
const AHEAD_MS = 40 * 24 * 3_600_000;

const TABLES = ['event', 'doc'] as const;
/** Of the advisory locks of months. */
const LOCK = 0x6d_6f;

/** Thrown within a transaction when its month was dropped a moment ago. */
export class MonthMissing extends Error {
  readonly month: number;

  constructor(month: number) {
    super('a month is missing');
    this.month = month;
  }
}

export function monthOf(startedAt: number): number {
  const latest = monthAt(Date.now() + AHEAD_MS);
  return Math.min(Math.max(monthAt(Number.isFinite(startedAt) ? startedAt : 0), FIRST), latest);
}

/** Nobody drops it before the transaction ends. */
export async function holdMonth(tx: Asker, month: number): Promise<void> {
  const row = await tx.get(
    `select pg_advisory_xact_lock_shared(${LOCK}, $1::integer) is null as locked, to_regclass($2)::text as name`,
    ...[month, nameOf('doc', month)],
  );
  if (row?.name === null) throw new MonthMissing(month);
}

/** Made beside the table and then joined to it, so that nobody who writes has to wait. */
export async function makeMonth(db: Database, month: number): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.get(`select pg_advisory_xact_lock(${LOCK}, $1::integer) is null as locked`, month);
    for (const table of TABLES) {
      const name = nameOf(table, month);
      const known = await tx.get('select to_regclass($1)::text as name', name);
      if (known?.name !== null) continue;
      const [from, to] = [month * RUN_SHIFT, (month + 1) * RUN_SHIFT];
      await tx.run(`create table ${name} (like ${table} including all)`);
      await tx.run(`alter table ${name} add constraint ${name}_month check (run >= ${from} and run < ${to})`);
      await tx.run(`alter table ${table} attach partition ${name} for values from (${from}) to (${to})`);
    }
  });
}

/** Drops one month of which nothing is kept any more. True when there was one. */
export async function dropEmptyMonth(db: Database): Promise<boolean> {
  const month = (await months(db)).find(({ isEmpty }) => isEmpty)?.month;
  if (month === undefined) return false;
  return db.transaction(async (tx) => {
    await tx.get(`select pg_advisory_xact_lock(${LOCK}, $1::integer) is null as locked`, month);
    const [from, to] = [month * RUN_SHIFT, (month + 1) * RUN_SHIFT];
    if (await tx.get('select 1 as one from run where no >= $1 and no < $2 limit 1', from, to)) return false;
    for (const table of TABLES) await tx.run(`drop table if exists ${nameOf(table, month)}`);
    return true;
  });
}

async function months(db: Asker): Promise<{ month: number; isEmpty: boolean }[]> {
  const rows = await db.all(
    `select substr(relname, 7)::integer as month, (
         select count(*) from (select 1 from run where no >= substr(relname, 7)::bigint << 32
           and no < (substr(relname, 7)::bigint + 1) << 32 limit 1) one) as runs
     from pg_inherits join pg_class on pg_class.oid = inhrelid where inhparent = to_regclass('event') order by 1`,
  );
  return rows.map(({ month, runs }) => ({ month: Number(month), isEmpty: Number(runs) === 0 }));
}

const nameOf = (table: (typeof TABLES)[number], month: number): string => `${table}_${month}`;

/** Months since the year 2000, by the calendar of UTC. */
function monthAt(at: number): number {
  const date = new Date(at);
  return (date.getUTCFullYear() - 2000) * 12 + date.getUTCMonth();
}
