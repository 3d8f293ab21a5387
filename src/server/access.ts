/** Who may speak to the server. One place turns a request into a principal. */
import { type SigningKey, sign, statement } from '../proof/index.js';
import type { TokenTable } from '../store/index.js';
import { createGuests, type Guests } from './guests.js';
import { createKeptTokenIssuer, type KeptTokenOptions } from './kept-token-issuer.js';
import type { KnownBrowsers } from './known-browsers.js';
import { createLogin, type Login } from './login.js';
import { createPageIssuer } from './page-issuer.js';
import type { Credentials, Issuer, Principal } from './principal.js';
import type { ServerSecrets } from './server-secrets.js';
import { createTokenIssuer, type Token } from './token-issuer.js';

export interface Access extends Login {
  readonly secrets: ServerSecrets;
  readonly browsers: KnownBrowsers;
  readonly guests: Guests;
  isOurs(origin: string): boolean;
  identify(credentials: Credentials): Promise<Principal | 'stale' | 'unknown'>;
  /** Proves to a page that the one who answers here is the one it knows. */
  greet(origin: string, nonce: string): Promise<string>;
}

export interface AccessOptions {
  identity: SigningKey;
  secrets: ServerSecrets;
  browsers: KnownBrowsers;
  tokens: readonly Token[];
  /** Those that all hubs over one store share. */
  keptTokens?: TokenTable | undefined;
  keptTokenOptions?: KeptTokenOptions | undefined;
  /** Addresses by which pages of this server are known. */
  isOurs(origin: string): boolean;
  /** Hears who was let in. */
  log: (text: string) => void;
}

export function createAccess({ identity, secrets, browsers, tokens, isOurs, log, ...kept }: AccessOptions): Access {
  const issuers: Issuer[] = [
    ...(kept.keptTokens ? [createKeptTokenIssuer(kept.keptTokens, kept.keptTokenOptions)] : []),
    createTokenIssuer(tokens),
    createPageIssuer({ identity, browsers, secrets, isOurs }),
  ];
  const guests = createGuests();
  return {
    ...createLogin({ identity, browsers, secrets, guests, log }),
    guests,
    secrets,
    browsers,
    isOurs,
    async identify(credentials) {
      for (const issuer of issuers) {
        const found = await issuer(credentials);
        if (found !== undefined) return found;
      }
      return 'unknown';
    },
    greet: (origin, nonce) => sign(identity, statement.hello({ origin, boot: secrets.boot(), nonce })),
  };
}
