/** Which requests of pages were heard: none is heard twice. For a server that is alone; hubs that share a store have it there. */
import type { OpenPages } from './lobby.js';

const MOST_PAGES = 4096;

export function createHeardRequests(): OpenPages {
  const pages = new Map<string, (count: number) => boolean>();
  return {
    // Its certificate is enough.
    open() {},
    hear(pageKey, _, count) {
      const isNew = pages.get(pageKey) ?? createReplayCheck();
      pages.delete(pageKey);
      pages.set(pageKey, isNew);
      for (const old of pages.keys()) if (pages.size > MOST_PAGES) pages.delete(old);
      return isNew(count);
    },
  };
}

/** Requests of a page may overtake each other, but not by so many. */
const WINDOW = 1024;

/** True for each number once; what is too far behind the highest one counts as heard. */
function createReplayCheck(): (count: number) => boolean {
  const heard = new Set<number>();
  let highest = 0;
  return (count) => {
    if (heard.has(count) || count <= highest - WINDOW) return false;
    heard.add(count);
    highest = Math.max(highest, count);
    if (heard.size > 2 * WINDOW) for (const old of heard) if (old <= highest - WINDOW) heard.delete(old);
    return true;
  };
}
