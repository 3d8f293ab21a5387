/** The page: the list of sessions beside what was chosen; on a phone one at a time. */
import { useStore } from '@nanostores/preact';
import { lazy, Suspense } from 'preact/compat';
import { $route } from '../state/route.js';
import { $connection } from '../state/sessions.js';
import { LoginHelp } from './login/login-help.js';
import { ConnectionBar } from './part/connection-bar.js';
import { Loading } from './part/notice.js';
import { SessionView } from './session/session-view.js';
import { SessionList } from './sessions/session-list.js';
import { StartPage } from './start/start-page.js';

const CostPage = lazy(() => import('../chart/cost-page.js'));

export function App() {
  const route = useStore($route);
  const connection = useStore($connection);
  if (connection === 'logged-out') return <LoginHelp />;
  return (
    <div class="app" data-page={route.page}>
      <ConnectionBar connection={connection} />
      <SessionList current={route.page === 'session' ? route.id : undefined} />
      <main class="main" id="main">
        {route.page === 'session' && <SessionView key={route.id} id={route.id} view={route.view} />}
        {route.page === 'cost' && (
          <Suspense fallback={<Loading text="Loading the figures" />}>
            <CostPage />
          </Suspense>
        )}
        {(route.page === 'home' || route.page === 'new') && <StartPage />}
      </main>
    </div>
  );
}
