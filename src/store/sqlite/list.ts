/** The list of sessions, page by page. */
import { GlassboxError } from '../../event/index.js';
import type { ListQuery, Page } from '../query.js';
import type { SessionRecord } from '../record.js';
import type { Connection } from './connection.js';
import { FILTERED_SESSIONS, filterValues } from './filter.js';
import { sessionsByNo } from './session.js';

const PAGE = 50;

const LIST = `${FILTERED_SESSIONS}
    and (?11 is null or exists (
      select 1 from run join session on session.no = run.session where run.session = listed.no
        and instr(lower(concat_ws(char(10), session.name, title, prompt, opening, cwd)), lower(?11)) > 0))
    and (?12 is null or (updated_at, no) < (?12, ?13))
  order by updated_at desc, no desc limit ?14`;

export function listSessions(db: Connection, query: ListQuery): Page<SessionRecord> {
  const limit = query.limit ?? PAGE;
  const [updatedAt, no] = query.cursor === undefined ? [null, null] : parseCursor(query.cursor);
  const rows = db.all(LIST, ...filterValues(query), query.text || null, updatedAt, no, limit + 1);
  const page = rows.slice(0, limit);
  const items = sessionsByNo(
    db,
    page.map((row) => Number(row.no)),
  );
  const last = page.at(-1);
  return rows.length > limit && last ? { items, cursor: `${last.updated_at}-${last.no}` } : { items };
}

function parseCursor(cursor: string): [number, number] {
  const [, updatedAt, no] = /^(\d+)-(\d+)$/.exec(cursor) ?? [];
  if (updatedAt === undefined) throw new GlassboxError('invalid-request', 'This is no cursor of an earlier page.');
  return [Number(updatedAt), Number(no)];
}
