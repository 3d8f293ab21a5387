/** All sessions with their live state, the filters and the search through them. */
import { useStore } from '@nanostores/preact';
import { ChartNoAxesColumn, Inbox, PanelLeftClose, Plus, Settings } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { $filter, isFiltering, queryOf } from '../../state/filter.js';
import { $waitingCount } from '../../state/inbox.js';
import { openList } from '../../state/list-fold.js';
import type { Route } from '../../state/route.js';
import { client } from '../../state/server.js';
import {
  $connection,
  $health,
  $olderCursor,
  $presences,
  $sessionList,
  $sessions,
  loadOlder,
} from '../../state/sessions.js';
import { useAnswer } from '../../state/use-answer.js';
import { useNow } from '../../state/use-now.js';
import { BrowsersButton } from './browsers-button.js';
import { FilterBar } from './filter-bar.js';
import { NotifyButton } from './notify-button.js';
import { SearchBox } from './search-box.js';
import { SearchResults } from './search-results.js';
import { SessionItems } from './session-items.js';

export function SessionList({ current, page }: { current: string | undefined; page: Route['page'] }) {
  const waiting = useStore($waitingCount);
  const filter = useStore($filter);
  const connection = useStore($connection);
  const [query, setQuery] = useState('');
  return (
    <nav class="sessions" id="sessions" aria-label="Sessions">
      <header class="sessions-head">
        <a class="brand" href="/">
          glassbox
        </a>
        <NotifyButton />
        <BrowsersButton />
        <a class="icon-button" href="/cost" aria-label="Costs" title="Costs">
          <ChartNoAxesColumn size={18} aria-hidden="true" />
        </a>
        <a class="icon-button" href="/settings" aria-label="Settings" title="Settings">
          <Settings size={18} aria-hidden="true" />
        </a>
        <a class="icon-button" href="/new" aria-label="New session" title="New session">
          <Plus size={18} aria-hidden="true" />
        </a>
        <button
          type="button"
          class="icon-button fold-list"
          aria-label="Hide the list"
          title="Hide the list"
          onClick={() => openList('no')}
        >
          <PanelLeftClose size={18} aria-hidden="true" />
        </button>
      </header>
      <a class="inbox-link" href="/inbox" aria-current={page === 'inbox' ? 'page' : undefined}>
        <Inbox size={16} aria-hidden="true" />
        <span class="grow">Inbox</span>
        {waiting > 0 && <span class="count">{waiting}</span>}
      </a>
      <FilterBar>
        <SearchBox onQuery={setQuery} />
      </FilterBar>
      {query !== '' ? (
        <SearchResults query={query} filter={filter} />
      ) : connection === 'opening' ? (
        <p class="sessions-empty" role="status">
          Loading…
        </p>
      ) : isFiltering(filter) ? (
        <Filtered current={current} />
      ) : (
        <All current={current} />
      )}
    </nav>
  );
}

function All({ current }: { current: string | undefined }) {
  const sessions = useStore($sessionList);
  const older = useStore($olderCursor);
  const now = useNow(30_000);
  const presences = useStore($presences);
  const isReadOnly = useStore($health)?.readOnly ?? false;
  if (sessions.length === 0) {
    return (
      <p class="sessions-empty" role="status">
        No sessions yet. <a href="/new">Start the first one.</a>
      </p>
    );
  }
  const end = older !== undefined && (
    <button type="button" class="button quiet" onClick={() => void loadOlder()}>
      Show older sessions
    </button>
  );
  return <SessionItems {...{ sessions, presences, current, now, isReadOnly, end }} />;
}

const MOST_FILTERED = 200;

/** The store knows all of them; what the list hears of them meanwhile is newer. */
function Filtered({ current }: { current: string | undefined }) {
  const filter = useStore($filter);
  const live = useStore($sessions);
  const presences = useStore($presences);
  const now = useNow(30_000);
  const isReadOnly = useStore($health)?.readOnly ?? false;
  const states = Object.values(live).map(({ id, state, pinned, archived, outcome }) =>
    [id, state, pinned, archived, outcome].join(),
  );
  // As the command line has it: what is put away is listed by itself.
  const ask = () => client.sessions({ archived: false, ...queryOf(filter, Date.now()), limit: MOST_FILTERED });
  const found = useAnswer(ask, [filter, states.join(' ')], { keepsLast: true });
  if (found.phase === 'loading') return <p class="sessions-empty">Looking…</p>;
  if (found.phase === 'failed') return <p class="sessions-empty error-text">{found.problem}</p>;
  const sessions = found.value.items.map((session) => live[session.id] ?? session);
  if (sessions.length === 0) {
    return (
      <p class="sessions-empty" role="status">
        No session is like this.
      </p>
    );
  }
  const end = found.value.cursor !== undefined && <p class="faint">The latest {MOST_FILTERED} of them.</p>;
  return <SessionItems {...{ sessions, presences, current, now, isReadOnly, end }} />;
}
