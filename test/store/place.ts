/** A place for the tests of the contract: where a store is made, opened and removed, and how its answers are read. */
import type { afterEach, beforeEach } from 'vitest';
import type { SearchQuery, Store } from '../../src/store/index.js';
import { type RunFacts, type Story, wholeRun } from './events.js';

export const HOUR = 3_600_000;

export interface Place {
  /** Opens the same data again, as another process would. */
  open(): Promise<Store>;
  remove(): Promise<void>;
}

export interface Opened {
  readonly store: Store;
  /** The same data, as another process would open it. */
  open(): Promise<Store>;
  keep(facts: RunFacts, story?: Story): Promise<number>;
}

/** A fresh store for each test, or one for all tests of a group that only read. */
export function usePlace(make: () => Promise<Place>, before: typeof beforeEach, after: typeof afterEach): Opened {
  let place: Place;
  let store: Store;
  const opened: Store[] = [];
  const open = async () => {
    const another = await place.open();
    opened.push(another);
    return another;
  };
  before(async () => {
    place = await make();
    store = await open();
  });
  after(async () => {
    for (const one of opened.splice(0)) await one.close();
    await place.remove();
  });
  return {
    get store() {
      return store;
    },
    open,
    keep: (facts, story) => store.append(wholeRun(facts, story)),
  };
}

export async function all<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
}

export function runIds(sessions: { runs: { runId: string }[] }[]): string[] {
  return sessions.flatMap((session) => session.runs.map((run) => run.runId));
}

export async function found(store: Store, query: SearchQuery): Promise<string[]> {
  return runIds((await store.search(query)).items.map(({ session }) => session));
}
