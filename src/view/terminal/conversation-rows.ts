/** A session as rows of a terminal, read like a conversation: what was asked, said, done, decided and spent, in its order. */
import { type Row, rowAt, type SessionState, selectConversation } from '../../session/index.js';
import { beganAt, type EntryOptions, entryRows, isSpeech, readRows, runOf, runRule } from './entry-rows.js';
import { BEGINNING, createFlow, type Place } from './flow.js';
import { foldedReads } from './tool-rows.js';

export type ConversationOptions = EntryOptions;

/** Draws one entry; `before`: the entry above it. */
export type DrawEntry = (row: Row, before: Row | undefined) => string[];

/** What was drawn of a conversation from its beginning on; plain, so that it can be continued later. */
export interface DrawnPart {
  /** How many of its entries. */
  readonly count: number;
  readonly rows: readonly string[];
  readonly place: Place;
  /** Numbers of the runs that were told of. */
  readonly begun: ReadonlySet<number>;
}

export const NOTHING_DRAWN: DrawnPart = { count: 0, rows: [], place: BEGINNING, begun: new Set() };

export function conversationRows(state: SessionState, options: ConversationOptions): string[] {
  const entries = selectConversation(state);
  const draw: DrawEntry = (row, before) => entryRows(row, before, state, options);
  return [...drawnUntil(entries, entries.length, NOTHING_DRAWN, { state, options, draw }).rows];
}

/** `until`: an entry that does not stand in one line with the one before it. */
export function drawnUntil(
  entries: readonly Row[],
  until: number,
  from: DrawnPart,
  { state, options, draw }: { state: SessionState; options: ConversationOptions; draw: DrawEntry },
): DrawnPart {
  if (from.count >= until) return from;
  const flow = createFlow(from.place);
  const begun = new Set(from.begun);
  for (let index = from.count; index < until; index += 1) {
    const row = entries[index] as Row;
    const run = runOf(row, state);
    if (run !== undefined && flow.place.run !== undefined && run !== flow.place.run)
      flow.add(runRule(rowAt(state.runs, run), options, begun.has(run) ? beganAt(row, state) : undefined), true);
    flow.place.run = run ?? flow.place.run;
    if (run !== undefined) begun.add(run);
    const reads = options.isFull ? [] : foldedReads(entries, index);
    if (reads.length > 1) {
      flow.add(readRows(reads, entries[index - 1], state, options), false);
      index += reads.length - 1;
    } else flow.add(draw(row, entries[index - 1]), isSpeech(row));
  }
  return { count: until, rows: from.rows.concat(flow.rows), place: flow.place, begun };
}
