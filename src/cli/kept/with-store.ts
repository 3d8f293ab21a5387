import type { Store } from '../../store/index.js';
import type { StoreFlag } from '../flag/store-flag.js';
import { openKept } from './open-kept.js';

/** Opens the store for as long as the work takes. */
export async function withStore<Result>(
  { store }: StoreFlag,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const opened = await openKept(store);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
