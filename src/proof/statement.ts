/**
 * The exact words that are signed. Each begins with what it is for, so that no signature serves for anything else, and names the
 * origin, so that none serves at another address.
 *
 * `boot` is drawn at each start of a server: what was signed for one start is worthless at the next, and nobody can know it before.
 */

interface Here {
  origin: string;
  boot: string;
}

/** The server, to a page that knows its key: it is I who answers here. `nonce` is the page's own. */
export const hello = ({ origin, boot, nonce }: Here & { nonce: string }): string => say('hello', origin, boot, nonce);

/** A browser that has a login code, which it does not tell. `ticket` stands in the document that the server sent. */
export const register = (said: Here & { ticket: string; browserKey: string; pageKey: string }): string =>
  say('register', said.origin, said.boot, said.ticket, said.browserKey, said.pageKey);

/** A browser that is registered, for a page that it just loaded. */
export const open = (said: Here & { ticket: string; browser: string; pageKey: string }): string =>
  say('open', said.origin, said.boot, said.ticket, said.browser, said.pageKey);

/** The server, for itself: this page belongs to this browser. Holds over a start, so that an open page goes on. */
export const page = (said: { origin: string; epoch: string; browser: string; pageKey: string }): string =>
  say('page', said.origin, said.epoch, said.browser, said.pageKey);

/** A page: I ask this. `count` grows with each request, so that none is heard twice. */
export const request = (
  said: Here & { pageKey: string; count: number; method: string; target: string; digest: string },
): string => say('request', said.origin, said.boot, said.pageKey, said.count, said.method, said.target, said.digest);

const say = (...parts: (string | number)[]): string => ['glassbox', ...parts].join('\n');
