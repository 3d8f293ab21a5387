/** All sessions with their live state, and the search through them. */
import { useStore } from '@nanostores/preact';
import { ChartNoAxesColumn, Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { $connection, $olderCursor, $presences, $sessionList, loadOlder } from '../../state/sessions.js';
import { useNow } from '../../state/use-now.js';
import { BrowsersButton } from './browsers-button.js';
import { NotifyButton } from './notify-button.js';
import { SearchBox } from './search-box.js';
import { SearchResults } from './search-results.js';
import { SessionEntry } from './session-entry.js';

export function SessionList({ current }: { current: string | undefined }) {
  const sessions = useStore($sessionList);
  const presences = useStore($presences);
  const older = useStore($olderCursor);
  const connection = useStore($connection);
  const [query, setQuery] = useState('');
  const now = useNow(30_000);
  return (
    <nav class="sessions" aria-label="Sessions">
      <header class="sessions-head">
        <a class="brand" href="/">
          glassbox
        </a>
        <NotifyButton />
        <BrowsersButton />
        <a class="icon-button" href="/cost" aria-label="Costs" title="Costs">
          <ChartNoAxesColumn size={18} aria-hidden="true" />
        </a>
        <a class="icon-button" href="/new" aria-label="New session" title="New session">
          <Plus size={18} aria-hidden="true" />
        </a>
      </header>
      <SearchBox onQuery={setQuery} />
      {query !== '' && <SearchResults query={query} />}
      {query === '' && sessions.length === 0 && (
        <p class="sessions-empty" role="status">
          {connection === 'opening' ? 'Loading…' : 'No sessions yet. '}
          {connection !== 'opening' && <a href="/new">Start the first one.</a>}
        </p>
      )}
      {query === '' && sessions.length > 0 && (
        <ul class="sessions-items">
          {sessions.map((session) => (
            <SessionEntry
              key={session.id}
              session={session}
              presence={presences[session.id]}
              isCurrent={session.id === current}
              now={now}
            />
          ))}
          {older !== undefined && (
            <li>
              <button type="button" class="button quiet" onClick={() => void loadOlder()}>
                Show older sessions
              </button>
            </li>
          )}
        </ul>
      )}
    </nav>
  );
}
