/** Full-text search: the best sessions first, each with its best events. */
import { type AgentEvent, GlassboxError } from '../../event/index.js';
import { documentOf } from '../document.js';
import {
  SEARCH_FIELDS,
  type SearchField,
  type SearchHit,
  type SearchMatch,
  type SearchPage,
  type SearchQuery,
} from '../query.js';
import type { SessionRecord } from '../record.js';
import { makeSnippet } from '../snippet.js';
import { parseTerms, type Term } from '../words.js';
import type { Connection } from './connection.js';
import { filteredSessions } from './filter.js';
import { text } from './row.js';
import { RUN_SHIFT } from './schema.js';
import { sessionsByNo } from './session.js';

const PAGE = 20;
const HITS = 3;

/** A prompt says more about a session than the output of a tool. In the order of the columns; the tool's name says nothing. */
const RANK = 'bm25(search, 8, 4, 1, 2, 1, 0)';

/** One pass over all matches. They are ranked before they are grouped, because the index can rank only what it just found. */
const BY_RUN = `
  with matches as materialized (select rowid >> 32 as run, ${RANK} as score from search where search match ?)
  select run.session, run.no as run, min(score) as score, count(*) as events, run.updated_at
  from matches join run on run.no = matches.run group by run.no`;

interface Candidate {
  session: number;
  runs: number[];
  score: number;
  events: number;
  updatedAt: number;
}

export function searchEvents(db: Connection, query: SearchQuery): SearchPage {
  const terms = parseTerms(query.text);
  const match = matchExpression(terms, query);
  const candidates = findCandidates(db, match, query);
  const start = query.cursor === undefined ? 0 : Number(query.cursor);
  const limit = query.limit ?? PAGE;
  const page = candidates.slice(start, start + limit);
  const records = sessionsByNo(
    db,
    page.map(({ session }) => session),
  );
  return {
    items: page.flatMap((candidate, index) => matchOf(db, match, terms, candidate, records[index])),
    sessions: candidates.length,
    events: candidates.reduce((sum, { events }) => sum + events, 0),
    ...(start + limit < candidates.length && { cursor: String(start + limit) }),
  };
}

function findCandidates(db: Connection, match: string, query: SearchQuery): Candidate[] {
  const allowed = filteredSessions(db, query);
  const sessions = new Map<number, Candidate>();
  for (const row of db.all(BY_RUN, match)) {
    const session = Number(row.session);
    if (allowed && !allowed.has(session)) continue;
    const known = sessions.get(session) ?? { session, runs: [], score: 0, events: 0, updatedAt: 0 };
    known.runs.push(Number(row.run));
    known.score = Math.min(known.score, Number(row.score));
    known.events += Number(row.events);
    known.updatedAt = Math.max(known.updatedAt, Number(row.updated_at));
    sessions.set(session, known);
  }
  const byTime = (a: Candidate, b: Candidate) => b.updatedAt - a.updatedAt || b.session - a.session;
  return [...sessions.values()].sort(query.order === 'newest' ? byTime : (a, b) => a.score - b.score || byTime(a, b));
}

function matchOf(
  db: Connection,
  match: string,
  terms: readonly Term[],
  candidate: Candidate,
  session: SessionRecord | undefined,
): SearchMatch[] {
  if (!session) return [];
  const rows = candidate.runs.flatMap((run) =>
    db.all(
      `select rowid as id, ${RANK} as score from search where search match ? and rowid >= ? and rowid < ? order by 2 limit ${HITS}`,
      ...[match, run * RUN_SHIFT, (run + 1) * RUN_SHIFT],
    ),
  );
  rows.sort((a, b) => Number(a.score) - Number(b.score));
  const hits = rows.slice(0, HITS).flatMap((row) => hitOf(db, Number(row.id), terms) ?? []);
  return [{ session, events: candidate.events, hits }];
}

function hitOf(db: Connection, id: number, terms: readonly Term[]): SearchHit | undefined {
  const seq = id % RUN_SHIFT;
  const run = Math.floor(id / RUN_SHIFT);
  if (seq === 0) {
    const row = db.get('select id, prompt, started_at from run where no = ?', run);
    const snippet = makeSnippet(String(row?.prompt), terms);
    return { runId: String(row?.id), seq, at: Number(row?.started_at), type: 'user-message', field: 'prompt', snippet };
  }
  const row = db.get('select body, tool from event where id = ?', id);
  const event = JSON.parse(String(row?.body)) as AgentEvent;
  const document = documentOf(event);
  if (!document) return undefined;
  return {
    runId: event.runId,
    seq,
    at: event.at,
    type: event.type,
    field: document.field,
    tool: text(row?.tool),
    snippet: makeSnippet(document.text, terms),
  };
}

/** The words in the language of the index. Each is quoted, so that nothing a person types is an operator. */
function matchExpression(terms: readonly Term[], { fields, tool }: SearchQuery): string {
  const quote = ({ words, prefix }: Pick<Term, 'words' | 'prefix'>) => `"${words.join(' ')}"${prefix ? '*' : ''}`;
  const wanted = terms.filter((term) => !term.not).map(quote);
  if (wanted.length === 0)
    throw new GlassboxError('invalid-request', 'A search needs at least one word that must occur.');
  const unwanted = terms.filter((term) => term.not).map((term) => ` NOT ${quote(term)}`);
  const columns = columnsOf(fields, tool);
  const words = `{${columns.join(' ')}} : (${wanted.join(' AND ')})${unwanted.join('')}`;
  return tool ? `(${words}) AND tool : "${tool.replaceAll('"', ' ')}"` : words;
}

function columnsOf(fields: readonly SearchField[] | undefined, tool: string | undefined): readonly SearchField[] {
  const named = fields ?? SEARCH_FIELDS;
  return tool ? named.filter((field) => field === 'input' || field === 'output') : named;
}
