/** A session as rows of a terminal, read like a conversation: what was asked, said, done, decided and spent, in its order. */
import { type Row, rowAt, type SessionState, selectConversation } from '../../session/index.js';
import { beganAt, type EntryOptions, entryRows, isSpeech, readRows, runOf, runRule } from './entry-rows.js';
import { createFlow } from './flow.js';
import { foldedReads } from './tool-rows.js';

export type ConversationOptions = EntryOptions;

/** Draws one entry; `before`: the entry above it. */
export type DrawEntry = (row: Row, before: Row | undefined) => string[];

/** `draw`: for who has other rows for some entries, or has drawn them already. */
export function conversationRows(
  state: SessionState,
  options: ConversationOptions,
  draw: DrawEntry = (row, before) => entryRows(row, before, state, options),
): string[] {
  const rows = selectConversation(state);
  const flow = createFlow();
  const begun = new Set<number>();
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as Row;
    const run = runOf(row, state);
    if (run !== undefined && flow.place.run !== undefined && run !== flow.place.run)
      flow.add(runRule(rowAt(state.runs, run), options, begun.has(run) ? beganAt(row, state) : undefined), true);
    flow.place.run = run ?? flow.place.run;
    if (run !== undefined) begun.add(run);
    const reads = options.isFull ? [] : foldedReads(rows, index);
    if (reads.length > 1) {
      flow.add(readRows(reads, rows[index - 1], state, options), false);
      index += reads.length - 1;
    } else flow.add(draw(row, rows[index - 1]), isSpeech(row));
  }
  return flow.rows;
}
