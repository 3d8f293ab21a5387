/** Pages of known browsers: each request is signed with a key that only that page has, for this start of the server, and heard once. */
import { digestOf, isSignature, readAuthorization, statement } from '../proof/index.js';
import type { Lobby } from './lobby.js';
import { type Issuer, SCOPES } from './principal.js';

export interface PageIssuerOptions {
  lobby: Lobby;
  isOurs(origin: string): boolean;
}

const MOST_CERTIFIED = 4096;
const ALL = new Set(SCOPES);

export function createPageIssuer({ lobby, isOurs }: PageIssuerOptions): Issuer {
  const { identity, browsers, secrets, pages } = lobby;
  /** Whose certificate was checked. */
  const certified = new Set<string>();

  const isCertified = async (page: string, certificate: string): Promise<boolean> => {
    if (!certified.has(page) && !(await isSignature(identity.publicText, page, certificate))) return false;
    certified.delete(page);
    certified.add(page);
    for (const old of certified) if (certified.size > MOST_CERTIFIED) certified.delete(old);
    return true;
  };

  return async ({ authorization, origin, method, target, body }) => {
    const said = readAuthorization(authorization);
    if (!said) return undefined;
    if (said.boot !== (await secrets.boot())) return 'stale';
    const { browser: id, pageKey, certificate, count, digest, signature } = said;
    const browser = await browsers.find(id);
    if (!browser || browser.origin !== said.origin || !isOurs(said.origin)) return 'unknown';
    // A browser says by itself where a request that changes something comes from.
    if (origin !== undefined ? origin !== said.origin : !isReading(method)) return 'unknown';

    if (!(await isCertified(statement.page({ ...said, epoch: await secrets.epoch() }), certificate))) return 'unknown';
    if (!(await isSignature(pageKey, statement.request({ ...said, method, target }), signature))) return 'unknown';
    if (digest !== (await digestOf(await body()))) return 'unknown';
    if (!(await pages.hear(pageKey, id, count))) return 'unknown';
    return { name: browser.name, via: 'page', scopes: ALL, isKnown: () => browsers.isKnown(id) };
  };
}

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';
