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

/** The file that is meant: the one that is named, or where the environment or the system says. */
export function pathOf(location: string | undefined): string {
  if (location !== undefined && typeof location !== 'string') {
    throw new GlassboxError('invalid-request', 'openStore takes the path of a file, and no options.');
  }
  // An address would be taken for a path, and its password be shown with it.
  const chosen = location ?? storeLocation({ platform: process.platform, env: process.env, home: homedir() });
  const [, scheme] = /^([a-z][a-z\d+.-]+):\/\//i.exec(chosen) ?? [];
  if (scheme !== undefined) {
    throw new GlassboxError('invalid-request', `The store is a file; ${scheme} addresses are not known. Give a path.`);
  }
  return chosen === ':memory:' ? chosen : resolve(chosen);
}
