/** Who may speak to the server. One place turns a request into a principal. */
import type { Hello } from '../client/api.js';
import { sign, statement } from '../proof/index.js';
import type { TokenTable } from '../store/index.js';
import { createKeptTokenIssuer, type KeptTokenOptions } from './kept-token-issuer.js';
import type { Lobby } from './lobby.js';
import { createLogin, type Login } from './login.js';
import { createPageIssuer } from './page-issuer.js';
import type { Credentials, Issuer, Principal } from './principal.js';
import { createTokenIssuer, type Token } from './token-issuer.js';

export interface Access extends Login {
  readonly secrets: Lobby['secrets'];
  readonly browsers: Lobby['browsers'];
  readonly guests: Lobby['guests'];
  isOurs(origin: string): boolean;
  identify(credentials: Credentials): Promise<Principal | 'stale' | 'unknown'>;
  /** Proves to a page that the one who answers here is the one it knows. */
  greet(origin: string, nonce: string): Promise<Hello>;
}

export interface AccessOptions {
  lobby: Lobby;
  tokens: readonly Token[];
  /** Those that all hubs over one store share. */
  keptTokens?: TokenTable | undefined;
  keptTokenOptions?: KeptTokenOptions | undefined;
  /** Addresses by which pages of this server are known. */
  isOurs(origin: string): boolean;
  /** Hears who was let in. */
  log: (text: string) => void;
}

export function createAccess({ lobby, tokens, isOurs, log, ...kept }: AccessOptions): Access {
  const issuers: Issuer[] = [
    ...(kept.keptTokens ? [createKeptTokenIssuer(kept.keptTokens, kept.keptTokenOptions)] : []),
    createTokenIssuer(tokens),
    createPageIssuer({ lobby, isOurs }),
  ];
  const { identity, secrets, browsers, guests } = lobby;
  return {
    ...createLogin({ lobby, log }),
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
    greet: async (origin, nonce) => {
      const boot = await secrets.boot();
      return { boot, proof: await sign(identity, statement.hello({ origin, boot, nonce })) };
    },
  };
}
