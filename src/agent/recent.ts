/** A set that remembers only the latest entries, so that a stream of any length needs constant memory. */
export interface Recent {
  add(key: string): void;
  has(key: string): boolean;
}

export function createRecent(limit: number): Recent {
  const keys = new Set<string>();
  return {
    add(key) {
      keys.add(key);
      if (keys.size <= limit) return;
      for (const oldest of keys) {
        keys.delete(oldest);
        break;
      }
    },
    has: (key) => keys.has(key),
  };
}
