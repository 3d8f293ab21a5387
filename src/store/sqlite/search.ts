/** Full-text search: the best sessions first, each with its best events. */
import { defined, GlassboxError } from '../../event/index.js';
import { documentOf } from '../document.js';
import type { SearchHit, SearchPage, SearchQuery } from '../query.js';
import { makeSnippet } from '../snippet.js';
import { parseTerms, type Term } from '../words.js';
import type { Connection } from './connection.js';
import { eventOf } from './event-row.js';
import { filteredSessions } from './filter.js';
import { matchExpression, type RankedEvent, rankEvents } from './match.js';
import { text } from './row.js';
import { RUN_SHIFT } from './schema.js';
import { sessionsByNo } from './session.js';

const PAGE = 20;
const HITS = 3;

interface Candidate {
  session: number;
  updatedAt: number;
  /** Best first, no more than are shown. */
  best: RankedEvent[];
  events: number;
}

export function searchEvents(db: Connection, query: SearchQuery): SearchPage {
  const terms = parseTerms(query.text);
  const ranked = rankEvents(db, matchExpression(terms, query), filteredSessions(db, query));
  const candidates = bySession(db, ranked).sort(query.order === 'newest' ? byTime : byScore);
  const start = parseCursor(query.cursor);
  const end = start + (query.limit ?? PAGE);
  const page = candidates.slice(start, end);
  const sessions = sessionsByNo(
    db,
    page.map(({ session }) => session),
  );
  return {
    items: page.flatMap(({ best, events }, index) => {
      const session = sessions[index];
      return session ? [{ session, events, hits: best.flatMap(({ id }) => hitOf(db, id, terms) ?? []) }] : [];
    }),
    sessions: candidates.length,
    events: ranked.length,
    ...(end < candidates.length && { cursor: String(end) }),
  };
}

function bySession(db: Connection, ranked: readonly RankedEvent[]): Candidate[] {
  const runs = byRun(ranked);
  const rows = db.all(
    'select no, session, updated_at from run where no in (select value from json_each(?))',
    JSON.stringify([...runs.keys()]),
  );
  const candidates = new Map<number, Candidate>();
  for (const row of rows) {
    const [session, updatedAt] = [Number(row.session), Number(row.updated_at)];
    const found = runs.get(Number(row.no));
    const known = candidates.get(session);
    if (!found) continue;
    if (known) for (const event of known.best) keepBest(found.best, event);
    candidates.set(session, {
      session,
      updatedAt: Math.max(known?.updatedAt ?? 0, updatedAt),
      best: found.best,
      events: found.events + (known?.events ?? 0),
    });
  }
  return [...candidates.values()];
}

function byRun(ranked: readonly RankedEvent[]): Map<number, Pick<Candidate, 'best' | 'events'>> {
  const runs = new Map<number, Pick<Candidate, 'best' | 'events'>>();
  for (const event of ranked) {
    const run = Math.floor(event.id / RUN_SHIFT);
    const found = runs.get(run) ?? { best: [], events: 0 };
    if (found.events === 0) runs.set(run, found);
    found.events += 1;
    keepBest(found.best, event);
  }
  return runs;
}

function keepBest(best: RankedEvent[], event: RankedEvent): void {
  const place = best.findIndex((other) => event.score < other.score);
  if (place >= 0) best.splice(place, 0, event);
  else if (best.length < HITS) best.push(event);
  if (best.length > HITS) best.pop();
}

const byTime = (a: Candidate, b: Candidate) => b.updatedAt - a.updatedAt || b.session - a.session;
const byScore = (a: Candidate, b: Candidate) => (a.best[0]?.score ?? 0) - (b.best[0]?.score ?? 0) || byTime(a, b);

function hitOf(db: Connection, id: number, terms: readonly Term[]): SearchHit | undefined {
  const row = db.get('select body, sum, tool from event where id = ?', id);
  const event = row && eventOf(row);
  const document = event && documentOf(event);
  if (!document) return undefined;
  return defined({
    runId: event.runId,
    seq: event.seq,
    at: event.at,
    type: event.type,
    field: document.field,
    tool: text(row.tool),
    snippet: makeSnippet(document.text, terms),
  });
}

function parseCursor(cursor = '0'): number {
  if (!/^\d+$/.test(cursor)) throw new GlassboxError('invalid-request', 'This is no cursor of an earlier page.');
  return Number(cursor);
}
