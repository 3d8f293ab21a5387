/** Sessions found by number, or by what a person types. */
import { GlassboxError } from '../../event/index.js';
import type { SessionRecord } from '../record.js';
import { number } from '../table/row.js';
import { sessionsOf } from '../table/session-row.js';
import type { Asker } from './connection.js';
import { EMPTY_RUN } from './filter.js';
import { findRun, latestRunOf } from './run-row.js';

/** Sessions by number, in the given order. */
export async function sessionsByNo(db: Asker, numbers: readonly number[]): Promise<SessionRecord[]> {
  const rows = await db.all(
    `select run.*, session.id as session_id, session.name, session.pinned, session.archived_at, source.id as forked_id, before.id as before_id,
       (select count(*) from approval where approval.run = run.no and approval.status = 'pending') as waiting
     from run join session on session.no = run.session
       left join session source on source.no = session.forked_from
       left join run before on before.no = run.resumed_from
     where run.session = any($1::bigint[]) order by run.started_at, run.no`,
    numbers,
  );
  return sessionsOf(rows, numbers);
}

/** The number of the session that a person means. */
export async function findSession(db: Asker, ref: string): Promise<number | undefined> {
  if (ref === 'latest') {
    const latest = await db.get(
      `select session from run where not ${EMPTY_RUN} order by updated_at desc, no desc limit 1`,
    );
    return number(latest?.session);
  }
  const id = ref.toLowerCase();
  const own = number((await findRun(db, ref))?.session) ?? (await byShortId(db, id));
  if (own !== undefined) return own;
  // An agent may call its session whatever it likes, so that it must not take the place of another one.
  const called = number((await latestRunOf(db, undefined, ref))?.session);
  const [first, second] = new Set([called, ...(await begunWith(db, id))].filter((no) => no !== undefined));
  if (second !== undefined)
    throw new GlassboxError('conflict', `Several sessions begin with "${ref}". Type more of the id.`);
  return first;
}

async function byShortId(db: Asker, id: string): Promise<number | undefined> {
  return number((await db.get('select coalesce(merged_into, no) as no from session where id = $1', id))?.no);
}

async function begunWith(db: Asker, id: string): Promise<(number | undefined)[]> {
  if (!id) return [];
  const begun = await db.all(
    // `{` sorts behind all letters and digits.
    'select distinct coalesce(merged_into, no) as no from session where id > $1 and id < $2 limit 2',
    ...[id, `${id}{`],
  );
  return begun.map(({ no }) => number(no));
}
