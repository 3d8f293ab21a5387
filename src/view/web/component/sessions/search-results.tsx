/** Sessions that contain what was searched for, each with the lines around it. */
import { useStore } from '@nanostores/preact';
import type { SearchPage } from '../../../../client/index.js';
import { shownState } from '../../../../presence/index.js';
import { counted } from '../../../../word/index.js';
import { type Filter, queryOf } from '../../state/filter.js';
import { placePath, sessionPath } from '../../state/route.js';
import { client } from '../../state/server.js';
import { $presences } from '../../state/sessions.js';
import { useAnswer } from '../../state/use-answer.js';
import { visible } from '../../text/visible.js';
import { StateMark } from '../part/state-mark.js';

export function SearchResults({ query, filter }: { query: string; filter: Filter }) {
  const { state: _, pinned: __, archived: ___, ...rest } = queryOf(filter, Date.now());
  const found = useAnswer(() => client.search({ ...rest, text: query, limit: 30 }), [query, filter]);
  if (found.phase === 'loading') return <p class="sessions-empty">Searching…</p>;
  if (found.phase === 'failed') return <p class="sessions-empty error-text">{found.problem}</p>;
  const { items, sessions, events } = found.value;
  return (
    <>
      <p class="search-count" role="status">
        {sessions === 0 ? 'Nothing found' : `${counted(events, 'match', 'matches')} in ${counted(sessions, 'session')}`}
      </p>
      <ul class="sessions-items">
        {items.map((match) => (
          <Match key={match.session.id} match={match} />
        ))}
      </ul>
    </>
  );
}

type SearchMatch = SearchPage['items'][number];
type Hit = SearchMatch['hits'][number];
type Snippet = Hit['snippet'];

const MOST_HITS = 3;
const MOST_BEFORE = 40;

function Match({ match: { session, hits, events } }: { match: SearchMatch }) {
  const presence = useStore($presences, { keys: [session.id] })[session.id];
  const shown = hits.slice(0, MOST_HITS);
  return (
    <li>
      <a class="session-entry" href={sessionPath(session.id)}>
        <span class="session-title">
          <StateMark shown={shownState(session, presence)} />
          <span class="cut">{visible(session.title) || 'Untitled'}</span>
          {events > shown.length && <span class="faint search-more">{counted(events, 'match', 'matches')}</span>}
        </span>
      </a>
      {shown.map((hit) => (
        <a key={`${hit.runId} ${hit.seq} ${hit.field}`} class="snippet" href={hitPath(session.id, hit)}>
          <span class="snippet-text">
            <Marked snippet={hit.snippet} />
          </span>
        </a>
      ))}
    </li>
  );
}

function hitPath(session: string, { runId, seq, snippet: { text, marks } }: Hit): string {
  const words = new Set(marks.map(([start, end]) => text.slice(start, end).toLowerCase()));
  return placePath(session, { runId, seq, words: [...words] });
}

function Marked({ snippet: { text, marks } }: { snippet: Snippet }) {
  // Only some lines of it are shown: with what was found, wherever that stands.
  let from = Math.max(0, (marks[0]?.[0] ?? 0) - MOST_BEFORE);
  const isCut = from > 0;
  const parts = marks.map(([start, end]) => {
    const part = { before: text.slice(from, start), found: text.slice(start, end), start };
    from = end;
    return part;
  });
  return (
    <>
      {isCut && '…'}
      {parts.map(({ before, found, start }) => (
        <span key={start}>
          {visible(before)}
          <mark>{visible(found)}</mark>
        </span>
      ))}
      {visible(text.slice(from))}
    </>
  );
}
