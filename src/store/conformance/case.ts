import assert from 'node:assert/strict';
import type { SearchQuery } from '../query.js';
import type { Store } from '../store.js';
import { type RunContent, type RunFacts, wholeRun } from './events.js';

/** A part of the contract, for any test runner: it has a name, and rejects when the store does not keep it. */
export interface StoreCase {
  readonly name: string;
  run(): Promise<void>;
}

/** Fresh data for one case. */
export interface StorePlace {
  /** Opens the data, each time as another process would; each store is closed by the case. */
  open(): Promise<Store>;
  remove(): Promise<void>;
}

/** A case before its place is known. */
export interface Check {
  name: string;
  /** `open` may be called as often as there are processes. */
  run(open: () => Promise<Store>): Promise<void>;
}

export const HOUR = 3_600_000;

/** Keeps a whole run. */
export function keep(store: Store, facts: RunFacts, story?: RunContent): Promise<number> {
  return store.append(wholeRun(facts, story));
}

export async function all<Item>(source: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source) items.push(item);
  return items;
}

export function runIds(sessions: { runs: { runId: string }[] }[]): string[] {
  return sessions.flatMap((session) => session.runs.map((run) => run.runId));
}

/** The runs of the sessions that a search finds. */
export async function found(store: Store, query: SearchQuery): Promise<string[]> {
  return runIds((await store.search(query)).items.map(({ session }) => session));
}

/** The value has all of this, and may have more. */
export function has(value: unknown, part: unknown, where = 'value'): void {
  if (typeof part !== 'object' || part === null) {
    assert.deepEqual(value, part, `${where} is ${String(value)} and not ${String(part)}`);
    return;
  }
  assert.ok(typeof value === 'object' && value !== null, `${where} is ${String(value)}`);
  if (Array.isArray(part)) assert.equal((value as unknown[]).length, part.length, `the length of ${where}`);
  for (const [key, expected] of Object.entries(part)) {
    has((value as Record<string, unknown>)[key], expected, `${where}.${key}`);
  }
}

/** It fails with an error of this code. */
export async function rejects(work: Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(
    work,
    (error) => typeof error === 'object' && error !== null && 'code' in error && error.code === code,
  );
}
