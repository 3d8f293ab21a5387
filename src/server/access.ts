/** Who may speak to the server. One place turns a request into a principal. */
import { type SigningKey, sign, statement } from '../proof/index.js';
import type { KnownBrowsers } from './known-browsers.js';
import { createLogin, type Login } from './login.js';
import { createPageIssuer } from './page-issuer.js';
import type { Credentials, Issuer, Principal } from './principal.js';
import type { ServerSecrets } from './server-secrets.js';
import { createTokenIssuer, type Token } from './token-issuer.js';

export interface Access extends Login {
  readonly secrets: ServerSecrets;
  readonly browsers: KnownBrowsers;
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
  /** Addresses by which pages of this server are known. */
  isOurs(origin: string): boolean;
  /** Hears who was let in. */
  log: (text: string) => void;
}

export function createAccess({ identity, secrets, browsers, tokens, isOurs, log }: AccessOptions): Access {
  const issuers: Issuer[] = [createTokenIssuer(tokens), createPageIssuer({ identity, browsers, secrets, isOurs })];
  return {
    ...createLogin({ identity, browsers, secrets, log }),
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
