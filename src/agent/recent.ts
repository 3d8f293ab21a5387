/** Collections that remember only their latest entries, so that a stream of any length needs constant memory. */

export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value): void;
}

/**
 * Remembers at least the latest `limit` entries, in two generations: deleting the oldest one by one leaves holes in a `Map`, and
 * finding the next oldest then steps over all of them (3 times slower for 1,000 entries).
 */
export function createRecentMap<Value>(limit: number): RecentMap<Value> {
  let older = new Map<string, Value>();
  let latest = new Map<string, Value>();
  return {
    get: (key) => latest.get(key) ?? older.get(key),
    has: (key) => latest.has(key) || older.has(key),
    set(key, value) {
      latest.set(key, value);
      if (latest.size < limit) return;
      older = latest;
      latest = new Map();
    },
  };
}

export interface Recent {
  add(key: string): void;
  has(key: string): boolean;
}

export function createRecent(limit: number): Recent {
  const keys = createRecentMap<true>(limit);
  return { add: (key) => keys.set(key, true), has: keys.has };
}
