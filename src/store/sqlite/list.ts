/** The list of sessions, page by page. */
import type { ListQuery, Page } from '../query.js';
import type { SessionRecord } from '../record.js';
import { filterValues } from '../table/filter-row.js';
import { cursorAfter, parseCursor } from '../table/list-cursor.js';
import type { Connection } from './connection.js';
import { FILTERED_SESSIONS } from './filter.js';
import { sessionsByNo } from './session.js';

const PAGE = 50;

const LIST = `${FILTERED_SESSIONS}
    and (?13 is null or exists (
      select 1 from run join session on session.no = run.session where run.session = listed.no
        and instr(lower(concat_ws(char(10), session.name, title, prompt, opening, cwd)), lower(?13)) > 0))
    and (?14 is null or (updated_at, no) < (?14, ?15))
  order by updated_at desc, no desc limit ?16`;

export function listSessions(db: Connection, query: ListQuery): Page<SessionRecord> {
  const limit = query.limit ?? PAGE;
  const [updatedAt, no] = parseCursor(query.cursor);
  const rows = db.all(LIST, ...filterValues(query), query.text || null, updatedAt, no, limit + 1);
  const page = rows.slice(0, limit);
  const items = sessionsByNo(
    db,
    page.map((row) => Number(row.no)),
  );
  const last = page.at(-1);
  return rows.length > limit && last ? { items, cursor: cursorAfter(last) } : { items };
}
