/** Opens the store that the user means: a file, a database, a hub. What speaks to the others is loaded only where they are used. */
import { refuseUnknownQueries } from './known-query.js';
import { type Place, placeOf } from './location.js';
import { openEmbedded } from './sqlite/open.js';
import type { Store } from './store.js';

/**
 * At a path, in a database (`postgres://…`), at a hub (`https://…`, with a token from `GLASSBOX_HUB_TOKEN` or the file that
 * `GLASSBOX_HUB_TOKEN_FILE` names), or where the environment or the system says; it is made on first use. `:memory:` keeps
 * nothing.
 */
export async function openStore(location?: string): Promise<Store> {
  return refuseUnknownQueries(await openAt(placeOf(location)));
}

async function openAt(place: Place): Promise<Store> {
  if (place.kind === 'file') return openEmbedded(place.path);
  if (place.kind === 'hub') {
    const [{ openHub }, { hubToken }] = await Promise.all([
      import('./remote/open.js'),
      import('./remote/hub-token.js'),
    ]);
    return openHub({ url: place.url, token: hubToken(process.env) });
  }
  const { openPostgres } = await import('./postgres/open.js');
  return openPostgres(place.address);
}
