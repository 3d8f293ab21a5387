/**
 * Rows of a part of a conversation, remembered: a long session is asked for its rows with every change, and nearly all of
 * them are those of before.
 */

import type { ReferenceKind } from '../item.js';
import type { SessionState } from '../state.js';
import { leafAt } from './chunks.js';

export interface CachedRows<Row> {
  /** The items that it was made of. */
  readonly leaf: readonly unknown[];
  readonly rows: readonly Row[];
  /** Parts of the tables from which the rows were made. */
  readonly sources: readonly RowSource[];
}

export interface RowSource {
  readonly kind: ReferenceKind;
  readonly number: number;
  readonly leaf: readonly unknown[] | undefined;
}

/** Notes that a record is shown; records that stand together are noted once. */
export function noteSource(sources: RowSource[], state: SessionState, kind: ReferenceKind, number: number): void {
  const leaf = leafOf(state, kind, number);
  if (sources.findLast((source) => source.kind === kind)?.leaf !== leaf) sources.push({ kind, number, leaf });
}

/** The same items, and everything that they name is the same, too. */
export function isCurrent(section: CachedRows<unknown>, leaf: readonly unknown[], state: SessionState): boolean {
  if (section.leaf !== leaf) return false;
  return section.sources.every(({ kind, number, leaf }) => leafOf(state, kind, number) === leaf);
}

export function tableOf(state: SessionState, kind: ReferenceKind) {
  return TABLES[kind](state);
}

function leafOf(state: SessionState, kind: ReferenceKind, number: number): readonly unknown[] | undefined {
  return leafAt<unknown>(tableOf(state, kind).rows, number);
}

const TABLES = {
  message: (state: SessionState) => state.messages,
  tool: (state: SessionState) => state.tools,
  task: (state: SessionState) => state.tasks,
  approval: (state: SessionState) => state.approvals,
  hook: (state: SessionState) => state.hooks,
  turn: (state: SessionState) => state.turns,
  run: (state: SessionState) => state.runs,
};
