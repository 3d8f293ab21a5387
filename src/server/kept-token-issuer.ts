/** People and programs whose tokens are in the store, so that every hub over it knows them, and no longer knows them a moment after one was revoked. */
import { createHash } from 'node:crypto';
import type { TokenRecord, TokenTable } from '../store/index.js';
import { type Issuer, SCOPES, type Scope } from './principal.js';

export interface KeptTokenOptions {
  /** How long it is believed that a token still holds. Default 5 s. */
  freshMs?: number;
  now?: () => number;
}

interface Seen {
  token: TokenRecord | undefined;
  at: number;
}

const FRESH_MS = 5000;
const MOST_SEEN = 4096;

export const tokenDigest = (token: string): string => createHash('sha256').update(token).digest('hex');

/** `Bearer gb_…`. What is not of this form is for others to know. */
export function createKeptTokenIssuer(
  tokens: TokenTable,
  { freshMs = FRESH_MS, now = () => performance.now() }: KeptTokenOptions = {},
): Issuer {
  const seen = new Map<string, Seen>();

  const look = async (digest: string): Promise<TokenRecord | undefined> => {
    const token = await tokens.find(digest);
    seen.delete(digest);
    seen.set(digest, { token, at: now() });
    for (const old of seen.keys()) if (seen.size > MOST_SEEN) seen.delete(old);
    return token;
  };
  const isFresh = (one: Seen): boolean => now() - one.at < freshMs;

  return async ({ authorization }) => {
    const said = /^Bearer (gb_[\w-]{20,100})$/i.exec(authorization)?.[1];
    if (said === undefined) return undefined;
    const digest = tokenDigest(said);
    const known = seen.get(digest);
    const token = known && isFresh(known) ? known.token : await look(digest);
    if (!token?.holds) return 'unknown';
    const scopes = new Set(
      token.scopes.filter((scope): scope is Scope => (SCOPES as readonly string[]).includes(scope)),
    );
    return {
      name: token.name,
      via: 'program',
      scopes,
      ...(token.projects && { projects: token.projects }),
      /** Where the store does not say it, what was last known holds. */
      async isKnown() {
        const last = seen.get(digest) ?? { token, at: Number.NEGATIVE_INFINITY };
        const found = isFresh(last) ? last.token : await look(digest).catch(() => last.token);
        return found?.holds ?? false;
      },
    };
  };
}
