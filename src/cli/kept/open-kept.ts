/** Opens the store that a command works with. What lets glassbox into a database lets nobody else in: an agent could answer its own questions there. */
import { withhold } from '../../run/process/environment.js';
import { openStore, type Store } from '../../store/index.js';
import { placeOf } from '../../store/location.js';

/** From the call on, and not only once it is open: an agent may be started meanwhile. */
export async function openKept(location: string | undefined): Promise<Store> {
  if (placeOf(location).kind === 'postgres') for (const name of ['PGPASSWORD', 'PGPASSFILE']) withhold(name);
  return openStore(location);
}
