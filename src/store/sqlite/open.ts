/** The embedded store: one SQLite file, used by a worker thread, made on first use. */
import { createFleet } from '../fleet/fleet.js';
import { storeOver } from '../shell/store-over.js';
import type { Store } from '../store.js';
import { createClient } from './client.js';

/** One writer at a time, so that no row has to be locked. */
const DIALECT = { now: "cast(unixepoch('subsec') * 1000 as integer)", skipLocked: '' } as const;

export async function openEmbedded(location: string): Promise<Store> {
  const client = createClient(location);
  await client.open();
  const fleet = createFleet({ all: (statements) => client.call('fleet', statements), dialect: DIALECT });
  return storeOver(client, { location, fleet });
}
