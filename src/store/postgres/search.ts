/** Full-text search: the best sessions first, each with its best events. */
import { type AgentEvent, GlassboxError } from '../../event/index.js';
import { SEARCH_FIELDS, type SearchPage, type SearchQuery } from '../query.js';
import { byRun, bySession, pageOf, type RankedEvent } from '../table/best-session.js';
import { hitIn } from '../table/hit.js';
import { text } from '../table/row.js';
import { parseTerms, type Term } from '../words.js';
import type { Asker } from './connection.js';
import { filteredSessions } from './filter.js';
import { sessionsByNo } from './session.js';
import { fieldNumber } from './words.js';

/** Of very common words only so many events are ranked, the newest, so that every search is quick. */
const MOST = 20_000;

/** A prompt says more about a session than the output of a tool. In the order of `SEARCH_FIELDS`. */
const WEIGHTS = '{8,4,1,2,1}';

/** Longer texts have more of every word, so their length counts against them. */
const RANKED = `
  select run, seq, -(('${WEIGHTS}'::double precision[])[field + 1] * ts_rank(words, query, 1)) as score
  from doc, to_tsquery('simple', $1) query
  where words @@ query and field = any($2::smallint[]) and ($3::text is null or lower(tool) = lower($3))
    and ($4::bigint[] is null or run in (select no from run where session = any($4::bigint[])))
  order by run desc, seq desc limit ${MOST}`;

export async function searchEvents(db: Asker, query: SearchQuery): Promise<SearchPage> {
  const terms = parseTerms(query.text);
  const { tool, fields = SEARCH_FIELDS } = query;
  const looked = tool === undefined ? fields : fields.filter((field) => field === 'input' || field === 'output');
  const match = matchExpression(terms);
  const sessions = await filteredSessions(db, query);
  const found = await db.all(RANKED, match, looked.map(fieldNumber), tool ?? null, sessions ?? null);
  const ranked = found.map(({ run, seq, score }) => ({ run: Number(run), seq: Number(seq), score: Number(score) }));
  const runs = byRun(ranked);
  const rows = await db.all('select no, session, updated_at from run where no = any($1::bigint[])', [...runs.keys()]);
  const candidates = bySession(runs, rows, query.order);
  const { page, next } = pageOf(candidates, query);
  const records = await sessionsByNo(
    db,
    page.map(({ session }) => session),
  );
  const shown = await eventsIn(
    db,
    page.flatMap(({ best }) => best),
  );
  return {
    items: page.flatMap(({ best, events }, index) => {
      const session = records[index];
      const hits = best.flatMap((one) => {
        const event = shown.get(`${one.run} ${one.seq}`);
        return (event && hitIn(event.event, event.tool, terms)) ?? [];
      });
      return session ? [{ session, events, hits }] : [];
    }),
    sessions: candidates.length,
    events: ranked.length,
    ...(next !== undefined && { cursor: next }),
  };
}

/** Words have nothing in them that the language of the index could take for its own. */
function matchExpression(terms: readonly Term[]): string {
  const wanted = terms.filter((term) => !term.not).map(phraseOf);
  if (wanted.length === 0) {
    throw new GlassboxError('invalid-request', 'A search needs at least one word that must occur.');
  }
  const unwanted = terms.filter((term) => term.not).map((term) => `!(${phraseOf(term)})`);
  return [...wanted, ...unwanted].join(' & ');
}

function phraseOf({ words, prefix }: Term): string {
  return words.map((word, index) => `'${word}'${prefix && index === words.length - 1 ? ':*' : ''}`).join(' <-> ');
}

async function eventsIn(
  db: Asker,
  ranked: readonly RankedEvent[],
): Promise<Map<string, { event: AgentEvent; tool: string | undefined }>> {
  const rows = await db.all(
    `select event.run, event.seq, event.body, doc.tool from unnest($1::bigint[], $2::integer[]) as hit (run, seq)
       join event on event.run = hit.run and event.seq = hit.seq join doc on doc.run = hit.run and doc.seq = hit.seq`,
    ...[ranked.map(({ run }) => run), ranked.map(({ seq }) => seq)],
  );
  return new Map(
    rows.map(({ run, seq, body, tool }) => [
      `${run} ${seq}`,
      { event: JSON.parse(String(body)) as AgentEvent, tool: text(tool) },
    ]),
  );
}
