/** Collections that remember only their latest entries, so that a stream of any length needs constant memory. */

export interface RecentMap<Value> {
  get(key: string): Value | undefined;
  has(key: string): boolean;
  set(key: string, value: Value): void;
}

export function createRecentMap<Value>(limit: number): RecentMap<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    has: (key) => entries.has(key),
    set(key, value) {
      entries.set(key, value);
      if (entries.size <= limit) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        break;
      }
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
