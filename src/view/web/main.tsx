/** Starts the page. */
import { computed } from 'nanostores';
import { render } from 'preact';
import './style/index.css';
import { App } from './component/app.js';
import { callForRuns, showWaiting, watchNotifying } from './state/attention.js';
import { $cards, $waitingCount } from './state/inbox.js';
import { forgetGone, watchPutOff } from './state/later.js';
import { watchRoom } from './state/list-fold.js';
import { $heard, $told, tellWaiting, watchListening } from './state/listening.js';
import { watchParked } from './state/parked.js';
import { $route, goOn, watchLocation } from './state/route.js';
import { watchSessions } from './state/sessions.js';
import { followTheme } from './state/theme.js';

let isTouched = false;
for (const type of ['keydown', 'pointerdown']) {
  addEventListener(type, () => (isTouched = true), { capture: true, once: true });
}

const root = document.getElementById('app');
if (root) {
  followTheme();
  watchLocation();
  watchNotifying();
  watchRoom();
  watchPutOff();
  if (location.pathname.startsWith('/s/')) void import('./component/session/session-view.js');
  watchListening();
  computed([$waitingCount, $heard], (count) => ({ count })).subscribe(({ count }) => tellWaiting(count));
  computed([$waitingCount, $told], (own, told) => told ?? own).subscribe(showWaiting);
  $cards.subscribe(callForRuns);
  $cards.listen((cards, before) => forgetGone(before ?? [], cards));
  void watchSessions(beginWithInbox);
  watchParked();
  render(<App />, root);
}

/** The first screen, while anything waits. Later nothing changes under somebody who looks at something else, or has begun to write. */
function beginWithInbox(): void {
  if ($route.get().page === 'home' && $waitingCount.get() > 0 && !isTouched) goOn('/inbox');
}
