import { openStore, type Store } from '../../store/index.js';
import type { StoreFlag } from '../flag/store-flag.js';

/** Opens the store for as long as the work takes. */
export async function withStore<Result>(
  { store }: StoreFlag,
  work: (store: Store) => Promise<Result>,
): Promise<Result> {
  const opened = await openStore(store);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
