/** Which part of the page is shown: the address says it, so that links, reloading and going back work. */
import { atom } from 'nanostores';

export type Route =
  | { page: 'home' }
  | { page: 'new' }
  | { page: 'cost' }
  | { page: 'session'; id: string; view: 'conversation' | 'timeline'; place?: Place };

/** What a link into a conversation leads to: a row of it, or an event, with words to look out for. */
export type Place = { row: string } | { runId: string; seq: number; words: string[] };

export const $route = atom<Route>({ page: 'home' });

export function watchLocation(): void {
  const read = () => $route.set(routeOf(new URL(location.href)));
  window.addEventListener('popstate', read);
  document.addEventListener('click', followLink);
  read();
}

export function go(path: string): void {
  const url = new URL(path, location.origin);
  if (url.href !== location.href) history.pushState(null, '', url);
  $route.set(routeOf(url));
}

/** What was looked at has another address now: going back must not lead to the old one. */
export function goOn(path: string): void {
  const url = new URL(path, location.origin);
  history.replaceState(null, '', url);
  $route.set(routeOf(url));
}

export function sessionPath(id: string, view: 'conversation' | 'timeline' = 'conversation'): string {
  return `/s/${encodeURIComponent(id)}${view === 'timeline' ? '/timeline' : ''}`;
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
    const view = third === 'timeline' ? 'timeline' : 'conversation';
    return { page: 'session', id: decode(second), view, ...(place && { place }) };
  }
  return first === 'cost' || first === 'new' ? { page: first } : { page: 'home' };
}

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
