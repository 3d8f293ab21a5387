/** A kept session as a file that somebody else can read, with all its runs, in the order in which it happened. */
import type { AgentEvent } from '../event/index.js';
import { type ExportOptions, exportSession } from '../export/index.js';
import { readSession, type SessionRecord, type Store } from '../store/index.js';

export interface ExportedFile {
  /** What to call it where nobody says. */
  name: string;
  text: string;
}

export async function exportKept(
  store: Store,
  { id, title, agent, runs }: SessionRecord,
  format: ExportOptions['format'],
): Promise<ExportedFile> {
  const events: AgentEvent[] = [];
  for await (const event of readSession(store, runs)) events.push(event);
  return {
    name: `glassbox-${id}.${format === 'html' ? 'html' : 'md'}`,
    text: exportSession(events, { format, title: title || `${agent} ${id}` }),
  };
}
