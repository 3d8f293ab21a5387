/** Where the store lives when nobody says otherwise: the place each system has for a user's application data. */
import { homedir } from 'node:os';
import { posix, resolve, win32 } from 'node:path';
import { GlassboxError } from '../event/error.js';

export interface Surroundings {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  home: string;
}

/** `GLASSBOX_STORE` if it is set, else the data directory of the system. An explicit choice of the user goes before both. */
export function storeLocation({ platform, env, home }: Surroundings): string {
  const path = platform === 'win32' ? win32 : posix;
  const chosen = env.GLASSBOX_STORE;
  if (chosen) return chosen.startsWith('~/') ? path.join(home, chosen.slice(2)) : chosen;
  return path.join(dataDirectory(), 'glassbox', 'store.db');

  function dataDirectory(): string {
    if (platform === 'win32') return env.LOCALAPPDATA || path.join(home, 'AppData', 'Local');
    if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
    // The XDG specification: a relative path is invalid and must be ignored.
    const xdg = env.XDG_DATA_HOME;
    return xdg && path.isAbsolute(xdg) ? xdg : path.join(home, '.local', 'share');
  }
}

/** Where a store is, by the form of its location. */
export type Place =
  | { kind: 'file'; path: string }
  | { kind: 'postgres'; address: string }
  | { kind: 'hub'; url: string };

/** The place that is meant: the one that is named, or where the environment or the system says. */
export function placeOf(location: string | undefined): Place {
  if (location !== undefined && typeof location !== 'string') {
    throw new GlassboxError('invalid-request', 'openStore takes a location as text, and no options.');
  }
  const chosen = location ?? storeLocation({ platform: process.platform, env: process.env, home: homedir() });
  // An address that is not known must not be taken for a path, and its password be shown with it.
  const scheme = schemeOf(chosen);
  if (scheme === undefined) return { kind: 'file', path: chosen === ':memory:' ? chosen : resolve(chosen) };
  if (scheme === 'postgres' || scheme === 'postgresql') return { kind: 'postgres', address: chosen };
  if (scheme === 'https' || scheme === 'http') return { kind: 'hub', url: chosen };
  throw new GlassboxError(
    'invalid-request',
    `A store is a file, a database (postgres://…) or a hub (https://…); ${scheme} addresses are not known.`,
  );
}

/** For people: an address without its password, and without what may be one. */
export function shownLocation(location: string): string {
  const scheme = schemeOf(location);
  if (scheme === undefined) return location;
  const url = URL.canParse(location) ? new URL(location) : undefined;
  return url ? `${scheme}://${url.username && `${url.username}@`}${url.host}${url.pathname}` : `${scheme}://…`;
}

/** Whoever asks over plain http shows his token to everybody on the way; an address with a password shows that to everybody who reads it. */
export function requireSafeUrl(url: string): string {
  const { protocol, hostname, username, password, origin, pathname } = URL.canParse(url) ? new URL(url) : BAD_URL;
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new GlassboxError('invalid-request', 'The address of a hub begins with https://, as in https://hub.example.');
  if (username || password) {
    throw new GlassboxError(
      'invalid-request',
      'The address of a hub holds no name and no password. Put the token into GLASSBOX_HUB_TOKEN.',
    );
  }
  if (protocol === 'http:' && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) {
    throw new GlassboxError(
      'invalid-request',
      `Plain http to ${hostname} would show the token to everybody on the way. Use https.`,
    );
  }
  return origin + pathname.replace(/(?<!\/)\/+$/, '');
}

const BAD_URL = { protocol: '', hostname: '', username: '', password: '', origin: '', pathname: '' };

export function isAddress(location: string): boolean {
  return schemeOf(location) !== undefined;
}

function schemeOf(location: string): string | undefined {
  return /^([a-z][a-z\d+.-]+):\/\//i.exec(location)?.[1]?.toLowerCase();
}
