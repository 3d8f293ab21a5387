/** The words of a person in the language of the index, and the events that match, ranked. */
import { GlassboxError } from '../../event/index.js';
import { SEARCH_FIELDS, type SearchQuery } from '../query.js';
import type { RankedEvent } from '../table/best-session.js';
import type { Term } from '../words.js';
import type { Connection } from './connection.js';
import { RUN_SHIFT } from './schema.js';

/** Of very common words only so many events are ranked, the newest, so that every search is quick. */
const MOST = 20_000;

/** A prompt says more about a session than the output of a tool. In the order of the columns; the tool's name says nothing. */
const RANK = 'bm25(search, 8, 4, 1, 2, 1, 0)';

/** As two arrays: rows of their own would cost as much as the ranking. */
const RANKED = `
  select json_group_array(id) as ids, json_group_array(score) as scores from (
    select rowid as id, ${RANK} as score from search
    where search match ?1 and (?2 is null or rowid >> 32 in (
      select no from run where session in (select value from json_each(?2))))
    order by rowid desc limit ${MOST})`;

/** Events of these sessions, or of all; those of a run stand together. */
export function rankEvents(db: Connection, match: string, sessions: ReadonlySet<number> | undefined): RankedEvent[] {
  const row = db.get(RANKED, match, sessions ? JSON.stringify([...sessions]) : null);
  const ids = JSON.parse(String(row?.ids)) as number[];
  const scores = JSON.parse(String(row?.scores)) as number[];
  return ids.map((id, index) => ({
    run: Math.floor(id / RUN_SHIFT),
    seq: id % RUN_SHIFT,
    score: scores[index] ?? 0,
  }));
}

/** Each word is quoted, so that nothing a person types is an operator. */
export function matchExpression(terms: readonly Term[], { fields = SEARCH_FIELDS, tool }: SearchQuery): string {
  const wanted = terms.filter((term) => !term.not).map(quote);
  if (wanted.length === 0) {
    throw new GlassboxError('invalid-request', 'A search needs at least one word that must occur.');
  }
  const unwanted = terms.filter((term) => term.not).map((term) => ` NOT ${quote(term)}`);
  const columns = tool === undefined ? fields : fields.filter((field) => field === 'input' || field === 'output');
  const words = `{${columns.join(' ')}} : (${wanted.join(' AND ')}${unwanted.join('')})`;
  return tool === undefined ? words : `${words} AND tool : "${tool.replaceAll('"', ' ')}"`;
}

function quote({ words, prefix }: Term): string {
  return `"${words.join(' ')}"${prefix ? '*' : ''}`;
}
