/** Opens the store for a command that asks and ends, in this thread: starting another one costs more than a question. */
import { pathOf } from './location.js';
import { questionsTo } from './sqlite/questions.js';
import { openInThisThread } from './sqlite/same-thread.js';
import type { StoreReader } from './store.js';

export async function readStore(location?: string): Promise<StoreReader> {
  const path = pathOf(location);
  const caller = await openInThisThread(path);
  return { location: path, ...questionsTo(caller), close: caller.close };
}
