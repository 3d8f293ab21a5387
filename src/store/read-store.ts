/** Opens the store for a command that asks and ends; a file in this thread: starting another one costs more than a question. */
import { placeOf } from './location.js';
import { questionsTo } from './shell/questions.js';
import { openInThisThread } from './sqlite/same-thread.js';
import type { StoreReader } from './store.js';

export async function readStore(location?: string): Promise<StoreReader> {
  const place = placeOf(location);
  if (place.kind !== 'file') {
    const { openStore } = await import('./open-store.js');
    return openStore(location);
  }
  const caller = await openInThisThread(place.path);
  return { location: place.path, ...questionsTo(caller), close: caller.close };
}
