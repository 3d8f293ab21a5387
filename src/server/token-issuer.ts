/** Programs: a bearer token, which never stands in an address or an argument. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { GlassboxError } from '../event/index.js';
import { nearestOf, refuseUnknown } from '../event/option.js';
import { type Issuer, SCOPES, type Scope } from './principal.js';

export interface Token {
  name: string;
  token: string;
  /** Default: all. */
  scopes?: readonly Scope[];
}

/** Throws when one of them would not do what it was meant for: a misspelt scope must not look as if it held. */
export function checkTokens(tokens: readonly Token[]): void {
  for (const given of tokens) {
    refuseUnknown('A token', given, { name: true, token: true, scopes: true });
    const { name, token, scopes = [] } = given;
    if (!name) refuse('Each token needs a name, by which people know the program.');
    if (!token) refuse(`The token of "${name}" is empty. Is the variable set that it comes from?`);
    const unknown = scopes.find((scope) => !SCOPES.includes(scope));
    if (unknown !== undefined) {
      const nearest = nearestOf(unknown, SCOPES);
      refuse(`"${name}": there is no scope "${unknown}"; the nearest is "${nearest}". There are ${SCOPES.join(', ')}.`);
    }
  }
}

function refuse(message: string): never {
  throw new GlassboxError('invalid-request', message);
}

export function createTokenIssuer(tokens: readonly Token[]): Issuer {
  return async ({ authorization }) => {
    const said = /^Bearer (.+)$/i.exec(authorization)?.[1];
    if (said === undefined) return undefined;
    const found = tokens.find(({ token }) => isEqual(said, token));
    if (!found) return 'unknown';
    const { name, scopes = SCOPES } = found;
    return { name, via: 'program', scopes: new Set(scopes), isKnown: () => true };
  };
}

/** Digests are compared, so that time does not tell how much of it was right. */
function isEqual(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
