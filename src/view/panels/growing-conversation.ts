/** A conversation that goes on: what no event can change any more is drawn once, and what comes is put below it. */
import { type Row, type SessionState, selectConversation } from '../../session/index.js';
import { type DrawEntry, type DrawnPart, drawnUntil, NOTHING_DRAWN } from '../terminal/conversation-rows.js';
import type { EntryOptions } from '../terminal/entry-rows.js';
import { isUnderWay } from '../terminal/tool-rows.js';

interface Drawn {
  readonly look: EntryOptions;
  readonly entries: readonly Row[];
  readonly part: DrawnPart;
}

/** One is shown at a time. */
let last: Drawn | undefined;

/** `look`: the same object for the same look. */
export function growingConversation(state: SessionState, look: EntryOptions, draw: DrawEntry): readonly string[] {
  const entries = selectConversation(state);
  const from = last && isBeginning(last, entries, look) ? last.part : NOTHING_DRAWN;
  const drawing = { state, options: look, draw };
  const part = drawnUntil(entries, finalUntil(entries, from.count), from, drawing);
  last = { look, entries, part };
  return drawnUntil(entries, entries.length, part, drawing).rows;
}

/** An entry that an event concerned is another one, also where that told what was decided about it. */
function isBeginning({ part, entries: before, ...drawn }: Drawn, entries: readonly Row[], look: EntryOptions): boolean {
  if (drawn.look !== look || part.count > entries.length) return false;
  for (let index = 0; index < part.count; index += 1) if (before[index] !== entries[index]) return false;
  return true;
}

/** Up to the first that goes on. Reads that others may come to stand beside are not final either. */
function finalUntil(entries: readonly Row[], from: number): number {
  let until = from;
  while (until < entries.length && isFinal(entries[until] as Row)) until += 1;
  while (until > from && isRead(entries[until - 1])) until -= 1;
  return until;
}

function isFinal(row: Row): boolean {
  if (row.kind === 'text' || row.kind === 'thinking') return row.content.complete;
  return row.kind !== 'tool' || !isUnderWay(row.content);
}

const isRead = (row: Row | undefined): boolean => row?.kind === 'tool' && row.content.kind === 'read';
