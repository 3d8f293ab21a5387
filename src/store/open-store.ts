/** Opens the store that the user means. */
import { refuseUnknownQueries } from './known-query.js';
import { pathOf } from './location.js';
import { openEmbedded } from './sqlite/open.js';
import type { Store } from './store.js';

/** At a path, or where the environment or the system says; it is made on first use. `:memory:` keeps nothing. */
export async function openStore(location?: string): Promise<Store> {
  return refuseUnknownQueries(await openEmbedded(pathOf(location)));
}
