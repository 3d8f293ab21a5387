/** Full-text search: the best sessions first, each with its best events. */
import type { SearchHit, SearchPage, SearchQuery } from '../query.js';
import { byRun, bySession, pageOf, type RankedEvent } from '../table/best-session.js';
import { hitIn } from '../table/hit.js';
import { text } from '../table/row.js';
import { parseTerms, type Term } from '../words.js';
import type { Connection } from './connection.js';
import { eventOf } from './event-row.js';
import { filteredSessions } from './filter.js';
import { matchExpression, rankEvents } from './match.js';
import { RUN_SHIFT } from './schema.js';
import { sessionsByNo } from './session.js';

export function searchEvents(db: Connection, query: SearchQuery): SearchPage {
  const terms = parseTerms(query.text);
  const ranked = rankEvents(db, matchExpression(terms, query), filteredSessions(db, query));
  const runs = byRun(ranked);
  const rows = db.all(
    'select no, session, updated_at from run where no in (select value from json_each(?))',
    JSON.stringify([...runs.keys()]),
  );
  const candidates = bySession(runs, rows, query.order);
  const { page, next } = pageOf(candidates, query);
  const sessions = sessionsByNo(
    db,
    page.map(({ session }) => session),
  );
  return {
    items: page.flatMap(({ best, events }, index) => {
      const session = sessions[index];
      return session ? [{ session, events, hits: best.flatMap((event) => hitOf(db, event, terms) ?? []) }] : [];
    }),
    sessions: candidates.length,
    events: ranked.length,
    ...(next !== undefined && { cursor: next }),
  };
}

function hitOf(db: Connection, { run, seq }: RankedEvent, terms: readonly Term[]): SearchHit | undefined {
  const row = db.get('select body, sum, tool from event where id = ?', run * RUN_SHIFT + seq);
  const event = row && eventOf(row);
  return event && hitIn(event, text(row.tool), terms);
}
