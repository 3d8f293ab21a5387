/** The page: the list of sessions beside what was chosen; on a phone one at a time. */
import { useStore } from '@nanostores/preact';
import { PanelLeftOpen } from 'lucide-preact';
import { lazy, Suspense } from 'preact/compat';
import { $guestMark } from '../state/entry.js';
import { $isListOpen, openList } from '../state/list-fold.js';
import { $route } from '../state/route.js';
import { $connection } from '../state/sessions.js';
import { useKeyHelp } from '../state/use-key-help.js';
import { InboxPage } from './inbox/inbox-page.js';
import { GuestWait, LoginHelp } from './login/login-help.js';
import { ConnectionBar } from './part/connection-bar.js';
import { Loading } from './part/notice.js';
import { SessionList } from './sessions/session-list.js';
import { StartPage } from './start/start-page.js';

const SessionView = lazy(() => import('./session/session-view.js'));
const KeyHelp = lazy(() => import('./settings/key-help.js'));
const SettingsPage = lazy(() => import('./settings/settings-page.js'));
const CostPage = lazy(() => import('../chart/cost-page.js'));
const ComparisonsPage = lazy(() => import('../chart/comparisons-page.js'));

export function App() {
  const route = useStore($route);
  const connection = useStore($connection);
  const isListOpen = useStore($isListOpen);
  const mark = useStore($guestMark);
  const [isHelping, closeHelp] = useKeyHelp();
  if (mark !== undefined) return <GuestWait mark={mark} />;
  if (connection === 'logged-out') return <LoginHelp />;
  return (
    <div class="app" data-page={route.page} data-list={isListOpen}>
      <ConnectionBar connection={connection} />
      <SessionList current={route.page === 'session' ? route.id : undefined} page={route.page} />
      <button
        type="button"
        class="icon-button unfold-list"
        aria-label="Show the list"
        aria-controls="sessions"
        title="Show the list"
        onClick={() => openList('yes')}
      >
        <PanelLeftOpen size={18} aria-hidden="true" />
      </button>
      {/* Behind the list where it lies over the page; with the keyboard Escape does the same. */}
      <div class="list-shade" aria-hidden="true" onClick={() => openList('no')} />
      <main class="main" id="main">
        {route.page === 'session' && (
          <Suspense fallback={<Loading text="Loading the session" />}>
            <SessionView key={route.id} id={route.id} view={route.view} />
          </Suspense>
        )}
        {route.page === 'inbox' && <InboxPage />}
        {route.page === 'cost' && (
          <Suspense fallback={<Loading text="Loading the figures" />}>
            <CostPage />
          </Suspense>
        )}
        {route.page === 'comparisons' && (
          <Suspense fallback={<Loading text="Loading the comparisons" />}>
            <ComparisonsPage />
          </Suspense>
        )}
        {route.page === 'settings' && (
          <Suspense fallback={<Loading text="Loading the settings" />}>
            <SettingsPage />
          </Suspense>
        )}
        {(route.page === 'home' || route.page === 'new') && <StartPage />}
      </main>
      {isHelping && (
        <Suspense fallback={null}>
          <KeyHelp onClose={closeHelp} />
        </Suspense>
      )}
    </div>
  );
}
