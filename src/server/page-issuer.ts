/** Pages of known browsers: each request is signed with a key that only that page has, for this start of the server, and heard once. */
import { digestOf, isSignature, readAuthorization, type SigningKey, statement } from '../proof/index.js';
import type { KnownBrowsers } from './known-browsers.js';
import { type Issuer, SCOPES } from './principal.js';
import type { ServerSecrets } from './server-secrets.js';

export interface PageIssuerOptions {
  identity: SigningKey;
  browsers: KnownBrowsers;
  secrets: ServerSecrets;
  isOurs(origin: string): boolean;
}

const MOST_PAGES = 4096;
const ALL = new Set(SCOPES);

export function createPageIssuer({ identity, browsers, secrets, isOurs }: PageIssuerOptions): Issuer {
  /** Whose certificate was checked, and which of its requests were heard. */
  const pages = new Map<string, (count: number) => boolean>();

  return async ({ authorization, origin, method, target, body }) => {
    const said = readAuthorization(authorization);
    if (!said) return undefined;
    if (said.boot !== secrets.boot()) return 'stale';
    const { browser: id, pageKey, certificate, count, digest, signature } = said;
    const browser = browsers.find(id);
    if (!browser || browser.origin !== said.origin || !isOurs(said.origin)) return 'unknown';
    // A browser says by itself where a request that changes something comes from.
    if (origin !== undefined ? origin !== said.origin : !isReading(method)) return 'unknown';

    const page = statement.page({ ...said, epoch: secrets.epoch() });
    if (!pages.has(page) && !(await isSignature(identity.publicText, page, certificate))) return 'unknown';
    if (!(await isSignature(pageKey, statement.request({ ...said, method, target }), signature))) return 'unknown';
    if (digest !== (await digestOf(await body()))) return 'unknown';

    const isNew = pages.get(page) ?? createReplayCheck();
    pages.delete(page);
    pages.set(page, isNew);
    for (const old of pages.keys()) if (pages.size > MOST_PAGES) pages.delete(old);
    if (!isNew(count)) return 'unknown';
    return { name: browser.name, via: 'page', scopes: ALL, isKnown: () => browsers.find(id) !== undefined };
  };
}

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Requests of a page may overtake each other, but not by so many. */
const WINDOW = 1024;

/** True for each number once; what is too far behind the highest one counts as heard. */
function createReplayCheck(): (count: number) => boolean {
  const heard = new Set<number>();
  let highest = 0;
  return (count) => {
    if (heard.has(count) || count <= highest - WINDOW) return false;
    heard.add(count);
    highest = Math.max(highest, count);
    if (heard.size > 2 * WINDOW) for (const old of heard) if (old <= highest - WINDOW) heard.delete(old);
    return true;
  };
}
