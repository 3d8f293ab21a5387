/** Which part of the page is shown: the address says it, so that links, reloading and going back work. */
import { atom } from 'nanostores';

export type Route =
  | { page: 'home' }
  | { page: 'new' }
  | { page: 'cost' }
  | { page: 'session'; id: string; view: 'conversation' | 'timeline' };

export const $route = atom<Route>({ page: 'home' });

export function watchLocation(): void {
  const read = () => $route.set(routeOf(location.pathname));
  window.addEventListener('popstate', read);
  document.addEventListener('click', followLink);
  read();
}

export function go(path: string): void {
  if (path !== location.pathname) history.pushState(null, '', path);
  $route.set(routeOf(path));
}

export function sessionPath(id: string, view: 'conversation' | 'timeline' = 'conversation'): string {
  return `/s/${encodeURIComponent(id)}${view === 'timeline' ? '/timeline' : ''}`;
}

function routeOf(path: string): Route {
  const [first, second, third] = path.split('/').filter(Boolean);
  if (first === 's' && second !== undefined) {
    return { page: 'session', id: decode(second), view: third === 'timeline' ? 'timeline' : 'conversation' };
  }
  return first === 'cost' || first === 'new' ? { page: first } : { page: 'home' };
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
  go(link.pathname);
}
