/** Sessions found by number, or by what a person types. */
import { GlassboxError } from '../../event/index.js';
import type { SessionRecord } from '../record.js';
import { number } from '../table/row.js';
import { sessionsOf } from '../table/session-row.js';
import type { Connection } from './connection.js';
import { EMPTY_RUN } from './filter.js';
import { findRun, latestRunOf } from './run-row.js';

/** Sessions by number, in the given order. */
export function sessionsByNo(db: Connection, numbers: readonly number[]): SessionRecord[] {
  const rows = db.all(
    `select run.*, session.id as session_id, session.name, session.pinned, session.archived_at, source.id as forked_id, before.id as before_id,
       (select count(*) from approval where approval.run = run.no and approval.status = 'pending') as waiting
     from run join session on session.no = run.session
       left join session source on source.no = session.forked_from
       left join run before on before.no = run.resumed_from
     where run.session in (select value from json_each(?)) order by run.started_at, run.no`,
    JSON.stringify(numbers),
  );
  return sessionsOf(rows, numbers);
}

/** The number of the session that a person means. */
export function findSession(db: Connection, ref: string): number | undefined {
  if (ref === 'latest') {
    return number(
      db.get(`select session from run where not ${EMPTY_RUN} order by updated_at desc, no desc limit 1`)?.session,
    );
  }
  const id = ref.toLowerCase();
  const own = number(findRun(db, ref)?.session) ?? byShortId(db, id);
  if (own !== undefined) return own;
  // An agent may call its session whatever it likes, so that it must not take the place of another one.
  const called = number(latestRunOf(db, undefined, ref)?.session);
  const [first, second] = new Set([called, ...begunWith(db, id)].filter((no) => no !== undefined));
  if (second !== undefined)
    throw new GlassboxError('conflict', `Several sessions begin with "${ref}". Type more of the id.`);
  return first;
}

function byShortId(db: Connection, id: string): number | undefined {
  return number(db.get('select coalesce(merged_into, no) as no from session where id = ?', id)?.no);
}

function begunWith(db: Connection, id: string): (number | undefined)[] {
  if (!id) return [];
  const begun = db.all(
    // `{` sorts behind all letters and digits.
    'select distinct coalesce(merged_into, no) as no from session where id > ? and id < ? limit 2',
    ...[id, `${id}{`],
  );
  return begun.map(({ no }) => number(no));
}
