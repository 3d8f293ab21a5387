/** What has started and not ended: each starts once and ends once, also when its line comes again or too late. */
import { createRecent } from '../recent.js';

export interface OpenItems<Item> {
  readonly open: ReadonlyMap<string, Item>;
  /** False when it has started before. */
  start(id: string, item: Item): boolean;
  /** The item; absent when it is not open. */
  end(id: string): Item | undefined;
  hasEnded(id: string): boolean;
}

export function createOpenItems<Item>(): OpenItems<Item> {
  const open = new Map<string, Item>();
  const ended = createRecent(1024);
  return {
    open,
    start(id, item) {
      if (open.has(id) || ended.has(id)) return false;
      open.set(id, item);
      return true;
    },
    end(id) {
      const item = open.get(id);
      if (item === undefined) return undefined;
      open.delete(id);
      ended.add(id);
      return item;
    },
    hasEnded: ended.has,
  };
}
