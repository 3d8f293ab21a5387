/** Opens the store that the user means. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { storeLocation } from './location.js';
import { openEmbedded } from './sqlite/open.js';
import type { Store } from './store.js';

/** At a path, or where the environment or the system says; it is made on first use. `:memory:` keeps nothing. */
export function openStore(location?: string): Promise<Store> {
  const chosen = location ?? storeLocation({ platform: process.platform, env: process.env, home: homedir() });
  return openEmbedded(chosen === ':memory:' ? chosen : resolve(chosen));
}
