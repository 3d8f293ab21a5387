/** The row that a link leads to, and the words to mark in it. */
import { atom } from 'nanostores';
import { type Row, rowAt, rowKeyOf, type SessionState, selectConversation } from '../../../session/index.js';
import { $folds, childrenKey } from './fold.js';
import type { Place } from './route.js';
import { rowsOf } from './rows.js';
import { client } from './server.js';

export interface Found {
  key: string;
  words: string[];
}

export const $found = atom<Found | undefined>();

/** Opens what hides the row. Nothing happens when it is not there. */
export async function showPlace(place: Place, state: SessionState, signal: AbortSignal): Promise<void> {
  const key = 'row' in place ? shownFor(place.row, state) : await keyOf(place, state, signal);
  const rows = rowsOf(state, () => false);
  const index = shownAt(rows, key, state);
  const row = rows[index];
  if (row === undefined || signal.aborted) return;
  for (const tool of callsAround(rows, index)) $folds.setKey(childrenKey(tool), true);
  if (row.kind === 'tool' || row.kind === 'thinking') $folds.setKey(row.key, true);
  $found.set({ key: row.key, words: 'row' in place ? [] : place.words });
}

/** What has no row of its own is told by one that comes after it. */
function shownAt(rows: readonly Row[], key: string | undefined, state: SessionState): number {
  const own = rows.findIndex((row) => row.key === key);
  if (own >= 0 || key === undefined) return own;
  const positions = new Map(rows.map((row, position) => [row.key, position]));
  const all = selectConversation(state);
  const from = all.findIndex((row) => row.key === key);
  const next = from < 0 ? undefined : all.slice(from).find((row) => positions.has(row.key));
  return positions.get(next?.key ?? '') ?? -1;
}

async function keyOf(
  { runId, seq }: { runId: string; seq: number },
  state: SessionState,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    for await (const event of client.events(runId, { fromSeq: seq, signal })) return rowKeyOf(state, event);
  } catch {
    // It may be gone meanwhile; the session itself is there to be read.
  }
  return undefined;
}

/** A question about a tool call is told by the call. */
function shownFor(key: string, state: SessionState): string {
  const number = /^approval(\d+)$/.exec(key)?.[1];
  const tool = number === undefined ? undefined : rowAt(state.approvals, Number(number))?.tool;
  return tool === undefined ? key : `t${tool}`;
}

/** The calls in whose sub-agents a row stands. */
function callsAround(rows: readonly Row[], from: number) {
  const calls = [];
  let depth = rows[from]?.depth ?? 0;
  for (let index = from; depth > 0 && index >= 0; index -= 1) {
    const row = rows[index];
    if (row?.kind !== 'tool' || row.depth !== depth - 1) continue;
    calls.push(row.content);
    depth -= 1;
  }
  return calls;
}
