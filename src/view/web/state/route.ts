/** Which part of the page is shown: the address says it, so that links, reloading and going back work. */
import { atom } from 'nanostores';
import { $filter, $misuses, type Filter, filterIn, withFilter } from './filter.js';

export type Route =
  | { page: 'home' }
  | { page: 'inbox' }
  | { page: 'new' }
  | { page: 'cost' }
  | { page: 'comparisons' }
  | { page: 'settings' }
  | { page: 'session'; id: string; view: SessionPart; place?: Place };

/** The ways to look at a session. */
export type SessionPart = 'conversation' | 'changes' | 'timeline';

/** What a link into a conversation leads to: a row of it, or an event, with words to look out for. */
export type Place = { row: string } | { runId: string; seq: number; words: string[] };

export const $route = atom<Route>({ page: 'home' });

export function watchLocation(): void {
  const read = () => {
    const url = new URL(location.href);
    const { filter, misuses } = filterIn(url.searchParams);
    $filter.set(filter);
    $misuses.set(misuses);
    $route.set(routeOf(url));
  };
  window.addEventListener('popstate', read);
  document.addEventListener('click', followLink);
  read();
}

/** The list keeps its filter wherever one goes. */
export function go(path: string): void {
  const url = withFilter(new URL(path, location.origin), $filter.get());
  if (url.href !== location.href) history.pushState(null, '', url);
  $route.set(routeOf(url));
}

/** What was looked at has another address now: going back must not lead to the old one. */
export function goOn(path: string): void {
  const url = withFilter(new URL(path, location.origin), $filter.get());
  history.replaceState(null, '', url);
  $route.set(routeOf(url));
}

/** Going back leads to the list as it was. */
export function setFilter(filter: Filter): void {
  const url = withFilter(new URL(location.href), filter);
  if (url.href !== location.href) history.pushState(null, '', url);
  $filter.set(filter);
}

export function sessionPath(id: string, view: SessionPart = 'conversation'): string {
  return `/s/${encodeURIComponent(id)}${view === 'conversation' ? '' : `/${view}`}`;
}

export function placePath(id: string, place: Place): string {
  const query: Record<string, string> =
    'row' in place ? { row: place.row } : { run: place.runId, seq: String(place.seq), words: place.words.join(' ') };
  return `${sessionPath(id)}?${new URLSearchParams(query)}`;
}

function routeOf({ pathname, searchParams }: URL): Route {
  const [first, second, third] = pathname.split('/').filter(Boolean);
  if (first === 's' && second !== undefined) {
    const place = placeOf(searchParams);
    const view = third === 'timeline' || third === 'changes' ? third : 'conversation';
    return { page: 'session', id: decode(second), view, ...(place && { place }) };
  }
  return PAGES.find(({ page }) => page === first) ?? { page: 'home' };
}

const PAGES = [
  { page: 'cost' },
  { page: 'comparisons' },
  { page: 'new' },
  { page: 'inbox' },
  { page: 'settings' },
] as const satisfies readonly Route[];

function placeOf(query: URLSearchParams): Place | undefined {
  const row = query.get('row');
  if (row !== null) return { row };
  const runId = query.get('run');
  const seq = Number(query.get('seq'));
  if (runId === null || !Number.isInteger(seq)) return undefined;
  return { runId, seq, words: (query.get('words') ?? '').split(' ').filter(Boolean) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Links to the page itself change the address without loading it again; all others are left to the browser. */
function followLink(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return;
  event.preventDefault();
  go(link.pathname + link.search);
}
