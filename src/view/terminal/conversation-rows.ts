/** A session as rows of a terminal, read like a conversation: what was asked, said, done, decided and spent, in its order. */
import { type Row, rowAt, type SessionState, selectConversation } from '../../session/index.js';
import { type EntryOptions, entryRows, isSpeech, readRows, runOf, runRule } from './entry-rows.js';
import { createFlow } from './flow.js';
import { foldedReads } from './tool-rows.js';

export type ConversationOptions = EntryOptions;

export function conversationRows(state: SessionState, options: ConversationOptions): string[] {
  const rows = selectConversation(state);
  const flow = createFlow();
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index] as Row;
    const run = runOf(row);
    if (run !== undefined && flow.place.run !== undefined && run !== flow.place.run)
      flow.add(runRule(rowAt(state.runs, run), options), true);
    flow.place.run = run ?? flow.place.run;
    const reads = options.isFull ? [] : foldedReads(rows, index);
    if (reads.length > 1) {
      flow.add(readRows(reads, rows[index - 1], state, options), false);
      index += reads.length - 1;
    } else flow.add(entryRows(row, rows[index - 1], state, options), isSpeech(row));
  }
  return flow.rows;
}
