/** Where this browser keeps its key, between visits. Whoever runs under this address can use it, which is why it only opens pages. */
import type { BrowserKey } from '../../../client/log-in.js';

const STORE = 'key';
const OWN = 'own';

/** Absent when there is none, or the browser keeps nothing. */
export async function loadKey(): Promise<BrowserKey | undefined> {
  try {
    return await inStore('readonly', (store) => store.get(OWN));
  } catch {
    return undefined;
  }
}

/** A browser that keeps nothing is in until its page is closed. */
export async function saveKey(key: BrowserKey): Promise<void> {
  try {
    await inStore('readwrite', (store) => store.put(key, OWN));
  } catch {
    // A private window, or no room.
  }
}

function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('glassbox', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const asked = act(database.transaction(STORE, mode).objectStore(STORE));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
      asked.transaction?.addEventListener('complete', () => database.close());
    };
  });
}
